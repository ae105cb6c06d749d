import { rule } from '../schema/define-rule.js'

/**
 * The referenced record and the owner of the sub-record must refer to the same record through the field `in` (both to the same
 * service; behaviour: Service offerings).
 */
export const agreesWithOwner = rule(
  'agreesWithOwner',
  (field: string, settings: { readonly in: string; readonly code: string }) => ({
    fields: [field],
    async check({ changed, fail, fieldOf, load, next }) {
      const { column, record } = fieldOf(field)
      if (!next[column] || !changed(column)) return
      const [owner, other] = await Promise.all([load(String(next['owner_type']), next['owner_id']), load(record, next[column])])
      const third = `${settings.in}_id`
      // A missing record is reported by the check of references.
      if (owner && other && owner[third] !== other[third]) fail(field, settings.code)
    },
  }),
)
