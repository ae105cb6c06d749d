import { rule } from '../../schema/language/define-rule.js'
import { loadOwner } from './owner-of.js'

/**
 * The referenced record and the owner of the sub-record must refer to the same record through the field `in` (both to the same
 * service; behaviour: Service offerings).
 */
export const agreesWithOwner = rule(
  'agreesWithOwner',
  (field: string, settings: { readonly in: string; readonly code: string }) => ({
    fields: [field],
    async check(context) {
      const { changed, fail, fieldOf, load, next } = context
      const { column, record } = fieldOf(field)
      if (!next[column] || !changed(column)) return
      // Locked, as the owner is: another transaction may be changing the field there, and does not see this sub-record yet.
      const [owner, other] = await Promise.all([loadOwner(context), load(record, next[column], { lock: true })])
      const third = `${settings.in}_id`
      // A missing record is reported by the check of references.
      if (owner && other && owner[third] !== other[third]) fail(field, settings.code)
    },
  }),
)

/**
 * Counterpart of `agreesWithOwner` for the owner: the field cannot change while sub-records of this type refer, through `by`,
 * to records that would no longer agree.
 */
export const agreesWithParts = rule(
  'agreesWithParts',
  (
    field: string,
    { part, by }: { readonly part: string; readonly by: { readonly field: string; readonly record: string } },
  ) => ({
    fields: [field],
    async check({ before, changed, fail, fieldOf, findBy, load, next, type }) {
      const { column } = fieldOf(field)
      if (!before || !changed(column)) return
      const parts = await findBy(part, 'owner_id', next['id'], { owner_type: type })
      const others = await Promise.all(parts.map((one) => load(by.record, one[`${by.field}_id`])))
      if (others.some((other) => other && other[column] !== next[column])) fail(field, 'cannot_be_changed')
    },
  }),
)

/** Counterpart of `agreesWithOwner` for records that sub-records of this type refer to by the field `by`. */
export const agreesWithOwners = rule(
  'agreesWithOwners',
  (field: string, { part, by }: { readonly part: string; readonly by: string }) => ({
    fields: [field],
    async check({ before, changed, fail, fieldOf, findBy, load, next }) {
      const { column } = fieldOf(field)
      if (!before || !changed(column)) return
      const parts = await findBy(part, by, next['id'])
      const owners = await Promise.all(parts.map((next) => loadOwner({ load, next })))
      if (owners.some((owner) => owner && owner[column] !== next[column])) fail(field, 'cannot_be_changed')
    },
  }),
)
