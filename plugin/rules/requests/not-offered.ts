import { rule } from '../../schema/language/define-rule.js'

/**
 * The referenced record cannot be chosen while it has this status; existing references stay (archived; behaviour: Knowledge
 * articles).
 */
export const notOffered = rule('notOffered', (field: string, settings: { readonly status: string; readonly code: string }) => ({
  fields: [field],
  async check({ changed, fail, fieldOf, load, next }) {
    const { column, record } = fieldOf(field)
    // Without the referenced type in the catalog, no record can be chosen.
    if (!record || !changed(column)) return
    const other = await load(record, next[column])
    if (other?.['status'] === settings.status) fail(field, settings.code)
  },
}))
