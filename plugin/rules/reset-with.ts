import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** A stored value goes back to where it began when the other field changes: what one approver said is not said by the next. */
export const resetWith = rule('resetWith', (field: string, { of, to }: { readonly of: string; readonly to: Json }) => ({
  fields: [field, of],
  fill({ before, changed, fieldOf, next }) {
    if (before && changed(fieldOf(of).column)) next[field] = to
  },
}))
