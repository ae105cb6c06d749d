import type { Rule } from '../schema/define-rule.js'

/** The referenced record must be linked to this one: the coordinator of a team is one of its members (gaps 6.1). */
export function mustBeLinked(field: string, settings: { readonly by: string; readonly code: string }) {
  return { rule: 'mustBeLinked', field, ...settings } as const
}

export const mustBeLinkedRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ changed, fail, fieldOf, linked, next, type }, use) {
    const { column } = fieldOf(String(use['field']))
    if (!next[column] || !changed(column)) return
    if (!(await linked(type, next['id'], String(use['by']), next[column]))) fail(String(use['field']), String(use['code']))
  },
}
