import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

/** Resets the field when the other field changes, so that a new approver does not inherit the decision of the previous one. */
export const resetWith = rule('resetWith', (field: string, { of, to }: { readonly of: string; readonly to: Json }) => ({
  fields: [field, of],
  moves: field === 'status' && typeof to === 'string' ? [{ to, when: `another ${of} is named` }] : [],
  fill({ before, changed, fieldOf, next }) {
    if (before && changed(fieldOf(of).column)) next[field] = to
  },
}))
