import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** Maximum depth of a tree. Real ones are not as deep, and a damaged one could be followed without end. */
const MAX_DEPTH = 100

/**
 * A record must not be its own ancestor (behaviour: Organizations), by the stored parents or by those of the same batch. Locks
 * the ancestors, so that two concurrent moves cannot form a cycle.
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
          // Other records of the batch form this cycle, and are refused for it.
          if (seen.has(ancestor) && moves.has(ancestor)) return
          seen.add(ancestor)
          ancestor = await parentOf(ancestor)
        }
      }),
    )
  },
}))
