import { compared } from '../schema/conditions.js'
import type { Rule, RuleContext } from '../schema/define-rule.js'

/**
 * Business units of an organization tree (gaps 7.9): `business_unit_organization` is the record itself when it is a business
 * unit, else that of its parent; the region of a business unit is copied down. Changes go down to the children by saves of
 * their own, so that they are audited and announced like any other.
 */
export function businessUnits() {
  return { rule: 'businessUnits' } as const
}

export const businessUnitsRule: Rule = {
  async before({ load, next, type }) {
    const parent = await load(type, next['parent_id'])
    if (next['business_unit'] === true) {
      // The id of a new record is not known yet; it is set after the write, below.
      next['business_unit_organization_id'] = next['id'] ?? null
    } else {
      next['business_unit_organization_id'] = parent?.['business_unit_organization_id'] ?? null
      if (parent?.['business_unit_organization_id']) next['region'] = parent['region'] ?? null
    }
  },
  async after(context) {
    const { before, changed, next, save, type } = context
    if (!before && next['business_unit'] === true) next['business_unit_organization_id'] = next['id'] ?? null
    if (before && (changed('business_unit_organization_id') || changed('region'))) {
      for await (const id of childrenOf(context)) await save(type, id, {})
    }
  },
}

/** All children that are no business units themselves; `find` gives them a hundred at a time. */
async function* childrenOf({ find, next, type }: RuleContext): AsyncGenerator<number> {
  for (let last = 0; ; ) {
    const some = await find(type, { parent: Number(next['id']), business_unit: false, id: compared('>', last) })
    if (some.length === 0) return
    for (const child of some) yield Number(child['id'])
    last = Number(some.at(-1)?.['id'])
  }
}
