import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** Deeper trees are refused as well: nothing real is so deep, and a damaged one must not be followed for ever. */
const MAX_DEPTH = 100

/**
 * A record must not be its own ancestor (behaviour: Organizations), neither by what is stored nor by what is saved in the same
 * batch. Ancestors are locked, so that two moves at once do not close a circle.
 */
export const noCycle = rule('noCycle', (field: string) => ({
  fields: [field],
  async checkAll(contexts) {
    const moves = new Map<Json, Json>()
    const moving = contexts.filter(({ before, changed, fieldOf }) => before && changed(fieldOf(field).column))
    for (const { before, fieldOf, next } of moving) moves.set(before?.['id'] ?? null, next[fieldOf(field).column] ?? null)
    await Promise.all(
      moving.map(async ({ before, fail, fieldOf, load, next, type }) => {
        const { column } = fieldOf(field)
        const parentOf = async (id: Json) =>
          (moves.has(id) ? moves.get(id) : (await load(type, id, { lock: true }))?.[column]) ?? null
        const seen = new Set<Json>()
        let ancestor: Json = next[column] ?? null
        for (let depth = 0; ancestor !== null; depth++) {
          if (ancestor === before?.['id'] || depth > MAX_DEPTH) return fail(field, 'descendant_parent')
          // Others of the batch close a circle among themselves, and are refused for it.
          if (seen.has(ancestor) && moves.has(ancestor)) return
          seen.add(ancestor)
          ancestor = await parentOf(ancestor)
        }
      }),
    )
  },
}))
