/** Ordered sub-records that other records belong to, as tasks belong to the phases of a project (behaviour: Phases). */
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'
import { ownerKey, siblingsOf } from '../general/owner-of.js'

/** A new sub-record without a position is placed after the last one of its owner; several new ones keep their order. */
export const fillWithPosition = rule('fillWithPosition', <const N extends string>(field: N) => ({
  fields: [field],
  fills: [field],
  async fillAll(contexts) {
    const without = contexts.filter(({ before, next }) => !before && (next[field] ?? null) === null)
    const siblings = await Promise.all(without.map(siblingsOf))
    const last = new Map<string, number>()
    for (const [index, { next }] of without.entries()) {
      const owner = ownerKey(next)
      const given = contexts.filter((one) => ownerKey(one.next) === owner)
      const taken = [...(siblings[index] ?? []), ...given.map((one) => one.next)].map((row) => Number(row[field] ?? 0))
      const position = Math.max(last.get(owner) ?? 0, ...taken) + 1
      last.set(owner, position)
      next[field] = position
    }
  },
}))

/** The referenced sub-record must belong to the record that the other field refers to. */
export const mustBePartOf = rule(
  'mustBePartOf',
  (field: string, settings: { readonly owner: string; readonly code: string }) => ({
    fields: [field, settings.owner],
    async check({ changed, fail, fieldOf, load, next }) {
      const [part, owner] = [fieldOf(field), fieldOf(settings.owner)]
      if (!changed(part.column) && !changed(owner.column)) return
      const found = await load(part.record, next[part.column])
      // A missing sub-record is reported by the check of references.
      if (found && found['owner_id'] !== next[owner.column]) fail(field, settings.code)
    },
  }),
)

/** Only records whose field still has the value can be removed. */
export const removableWhile = rule(
  'removableWhile',
  (field: string, { value, code }: { readonly value: Json; readonly code: string }) => ({
    fields: [field],
    remove({ fail, next }) {
      if (next[field] !== value) fail('base', code)
    },
  }),
)

/** All sub-records of an owner can be removed at once only while no record refers to the owner. */
export const removableWithout = rule(
  'removableWithout',
  (record: string, { by, code }: { readonly by: string; readonly code: string }) => ({
    async removeAll({ fail, isReferred, next }) {
      if (await isReferred(record, by, next['owner_id'])) fail('base', code)
    },
  }),
)

/** Records that refer to the removed one lose the reference. */
export const clearedOnRemoval = rule('clearedOnRemoval', (record: string, { field }: { readonly field: string }) => ({
  keeps: { [`${record}.${field}`]: ['id'] },
  async removed({ findBy, next, saveAll }) {
    const referring = await findBy(record, field, next['id'])
    const items = referring.map((one) => ({ id: Number(one['id']), body: { [`${field}_id`]: null } }))
    await saveAll(record, items)
  },
}))
