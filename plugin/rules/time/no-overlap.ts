import { type Row, rule } from '../../schema/language/define-rule.js'
import { ownerKey, siblingsOf } from '../general/owner-of.js'

/**
 * Sub-records of one owner must not overlap in time within a group (calendar hours: behaviour: Calendars), neither with stored
 * ones nor within the batch.
 */
export const noOverlap = rule(
  'noOverlap',
  ({ within, from, until }: { readonly within: string; readonly from: string; readonly until: string }) => {
    const overlaps = (one: Row, other: Row) =>
      one[within] === other[within] && String(one[from]) < String(other[until]) && String(other[from]) < String(one[until])

    return {
      fields: [within, from, until],
      async checkAll(contexts) {
        const whole = contexts.filter(({ next }) => [within, from, until].every((name) => typeof next[name] === 'string'))
        const stored = await Promise.all(whole.map(siblingsOf))
        // Records of this batch count with their new values, each compared with those before it.
        const changed = new Set(whole.map(({ next }) => next['id'] ?? null))
        const before = new Map<string, Row[]>()
        for (const [index, { fail, next }] of whole.entries()) {
          const owner = ownerKey(next)
          const others = before.get(owner) ?? (stored[index] ?? []).filter(({ id = null }) => !changed.has(id))
          if (others.some((other) => overlaps(next, other))) fail(from, 'overlaps')
          before.set(owner, [...others, next])
        }
      },
    }
  },
)
