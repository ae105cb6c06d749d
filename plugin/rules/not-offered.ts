import type { Rule } from '../schema/define-rule.js'

/** The referenced record cannot be chosen while it has this status; references that are there stay (gaps 7.12: archived). */
export function notOffered(field: string, settings: { readonly status: string; readonly code: string }) {
  return { rule: 'notOffered', field, ...settings } as const
}

export const notOfferedRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ changed, fail, fieldOf, load, next }, use) {
    const field = String(use['field'])
    const { column, record } = fieldOf(field)
    // A type that is not in the catalog has no records to be chosen.
    if (!record || !changed(column)) return
    const other = await load(record, next[column])
    if (other?.['status'] === use['status']) fail(field, String(use['code']))
  },
}
