import type { Rule } from '../schema/define-rule.js'

/** The reference names who changed the record last; null when the service did. Stands behind all rules that set something. */
export function changedBy(field: string) {
  return { rule: 'changedBy', field } as const
}

export const changedByRule: Rule = {
  fields: (use) => [String(use['field'])],
  before({ call, changed, fieldOf, next }, use) {
    const { column } = fieldOf(String(use['field']))
    if (Object.keys(next).some(changed)) next[column] = call.actor?.id ?? null
  },
}
