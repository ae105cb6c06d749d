import { rule } from '../../schema/language/define-rule.js'

/**
 * Counts in the referenced record how many records refer to it through the field (times_applied; behaviour: Knowledge
 * articles). The count leaves no audit line and causes no event.
 */
export const countUses = rule('countUses', (field: string, settings: { readonly in: string }) => ({
  fields: [field],
  alsoOnUndo: true,
  keeps: { [`${field}.${settings.in}`]: [field] },
  written({ addTo, before, changed, fieldOf, next }) {
    const { column, record } = fieldOf(field)
    // Without the referenced type in the catalog, no record has the count.
    if (!record || !changed(column)) return
    addTo(record, before?.[column], settings.in, -1)
    addTo(record, next[column], settings.in, 1)
  },
  removed({ addTo, fieldOf, next }) {
    const { column, record } = fieldOf(field)
    if (record) addTo(record, next[column], settings.in, -1)
  },
}))
