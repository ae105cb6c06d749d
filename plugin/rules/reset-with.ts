import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** A stored value goes back to where it began when the other field changes: what one approver said is not said by the next. */
export function resetWith(field: string, settings: { readonly of: string; readonly to: Json }) {
  return { rule: 'resetWith', field, ...settings } as const
}

export const resetWithRule: Rule = {
  fields: (use) => [String(use['field']), String(use['of'])],
  before({ before, changed, fieldOf, next }, use) {
    if (before && changed(fieldOf(String(use['of'])).column)) next[String(use['field'])] = use['to'] as Json
  },
}
