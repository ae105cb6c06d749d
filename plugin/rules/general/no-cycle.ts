import type { Json } from '../../schema/kinds/fields.js'
import { type RuleContext, rule } from '../../schema/language/define-rule.js'

/** Maximum number of levels above a record. Real trees are not as deep, and following a deeper one takes too long. */
const MAX_LEVELS = 100

/**
 * A record must not be its own ancestor (behaviour: Organizations), by the stored parents or by those of the same batch. Locks
 * the ancestors, so that two concurrent moves cannot form a cycle. New and moved records have at most 100 levels above them.
 */
export const noCycle = rule('noCycle', (field: string) => ({
  fields: [field],
  async checkAll(contexts) {
    const placed = contexts.filter(({ changed, fieldOf }) => changed(fieldOf(field).column))
    const moves = new Map<Json, Json>()
    for (const { before, fieldOf, next } of placed)
      if (before) moves.set(before['id'] ?? null, next[fieldOf(field).column] ?? null)
    await Promise.all(placed.map((context) => checkAncestors(context, field, moves)))
  },
}))

async function checkAncestors(
  { before, fail, fieldOf, load, next, type }: RuleContext,
  field: string,
  moves: ReadonlyMap<Json, Json>,
): Promise<void> {
  const { column } = fieldOf(field)
  // A new record cannot close a cycle.
  const parentOf = async (id: Json) => {
    const stored = moves.has(id) ? null : await load(type, id, ...(before ? [{ lock: true } as const] : []))
    return (moves.has(id) ? moves.get(id) : stored?.[column]) ?? null
  }
  const seen = new Set<Json>()
  for (let ancestor = next[column] ?? null; ancestor !== null; ancestor = await parentOf(ancestor)) {
    if (ancestor === before?.['id']) return fail(field, 'descendant_parent')
    // Other records of the batch form this cycle, and are refused for it. Otherwise the stored tree is damaged.
    if (seen.has(ancestor)) return moves.has(ancestor) ? undefined : fail(field, 'descendant_parent')
    seen.add(ancestor)
    if (seen.size > MAX_LEVELS) return fail(field, 'too_deep', { max: MAX_LEVELS })
  }
}
