import { rule } from '../schema/define-rule.js'

/** Parts of one owner must not overlap in time within a group (calendar hours: gaps 6.19). */
export const noOverlap = rule(
  'noOverlap',
  ({ within, from, until }: { readonly within: string; readonly from: string; readonly until: string }) => ({
    fields: [within, from, until],
    async check({ fail, findBy, next, type }) {
      const [start, end, group] = [next[from], next[until], next[within]]
      if (typeof start !== 'string' || typeof end !== 'string' || typeof group !== 'string') return
      const parts = await findBy(type, 'owner_id', next['owner_id'], { owner_type: String(next['owner_type']) })
      const overlaps = parts.some(
        (part) =>
          part['id'] !== next['id'] && part[within] === group && String(part[from]) < end && String(part[until]) > start,
      )
      if (overlaps) fail(from, 'overlaps')
    },
  }),
)
