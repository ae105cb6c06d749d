import { compared } from '../schema/conditions.js'
import type { Rule } from '../schema/define-rule.js'

/** Parts of one owner must not overlap in time within a group (calendar hours: gaps 6.19). */
export function noOverlap(settings: { readonly within: string; readonly from: string; readonly until: string }) {
  return { rule: 'noOverlap', ...settings } as const
}

export const noOverlapRule: Rule = {
  fields: (use) => [String(use['within']), String(use['from']), String(use['until'])],
  async before({ fail, find, next, type }, use) {
    const [within, from, until] = [String(use['within']), String(use['from']), String(use['until'])]
    const [start, end, group] = [next[from], next[until], next[within]]
    if (typeof start !== 'string' || typeof end !== 'string' || typeof group !== 'string') return
    const others = await find(type, {
      owner_type: String(next['owner_type']),
      owner_id: Number(next['owner_id']),
      [within]: group,
      [from]: compared('<', end),
      [until]: compared('>', start),
    })
    if (others.some((other) => other['id'] !== next['id'])) fail(from, 'overlaps')
  },
}
