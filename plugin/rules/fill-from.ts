import type { Rule } from '../schema/define-rule.js'

/**
 * What the caller leaves out of a new record is copied from a referenced one, where that has a value: `fields` names what is
 * copied, or which field of the other record each one is copied from (gaps 7.1, 7.11: template; 7.6: service). A field that is
 * sent empty stays empty, and so does one whose record has been disabled since: nobody who did not name it has to be refused.
 */
export function fillFrom(from: string, fields: readonly string[] | { readonly [field: string]: string }) {
  const sources = Array.isArray(fields) ? Object.fromEntries(fields.map((field: string) => [field, field])) : fields
  return { rule: 'fillFrom', from, sources: sources as { readonly [field: string]: string } } as const
}

export const fillFromRule: Rule = {
  fields: (use) => [String(use['from']), ...Object.keys(use['sources'] as object)],
  fills: (use) => Object.keys(use['sources'] as object),
  async before({ before, fieldOf, given, load, next }, use) {
    if (before) return
    const { column, record } = fieldOf(String(use['from']))
    const source = await load(record, next[column])
    if (!source) return
    for (const [field, name] of Object.entries(use['sources'] as { readonly [field: string]: string })) {
      const value = source[`${name}_id`] ?? source[name] ?? null
      if (value === null || given.has(field)) continue
      const target = fieldOf(field)
      const isDisabled = target.record !== '' && (await load(target.record, value))?.['disabled'] === true
      if (!isDisabled) next[target.column] = value
    }
  },
}
