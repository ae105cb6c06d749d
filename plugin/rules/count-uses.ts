import type { Rule } from '../schema/define-rule.js'

/**
 * Counts in the referenced record how many records refer to it through the field (gaps 7.12: times_applied). The record that
 * is counted for is not changed otherwise: nobody is told of it.
 */
export function countUses(field: string, settings: { readonly in: string }) {
  return { rule: 'countUses', field, ...settings } as const
}

export const countUsesRule: Rule = {
  fields: (use) => [String(use['field'])],
  after({ addTo, before, changed, fieldOf, next }, use) {
    const { column, record } = fieldOf(String(use['field']))
    // A type that is not in the catalog has nothing to count in.
    if (!record || !changed(column)) return
    addTo(record, before?.[column], String(use['in']), -1)
    addTo(record, next[column], String(use['in']), 1)
  },
  removed({ addTo, fieldOf, next }, use) {
    const { column, record } = fieldOf(String(use['field']))
    if (record) addTo(record, next[column], String(use['in']), -1)
  },
}
