import type { Rule } from '../schema/define-rule.js'
import { findAll } from './find-all.js'

/**
 * Business units of an organization tree (gaps 7.9): `business_unit_organization` is the record itself when it is a business
 * unit, else that of its parent; the region of a business unit is copied down, and nobody else has one of their own. Changes go
 * down to the children by saves of their own, so that they are audited and announced like any other.
 */
export function businessUnits() {
  return { rule: 'businessUnits' } as const
}

export const businessUnitsRule: Rule = {
  fields: () => ['business_unit', 'business_unit_organization', 'parent', 'region'],
  async before({ load, next, type }) {
    const parent = await load(type, next['parent_id'])
    if (next['business_unit'] === true) {
      // The id of a new record is not known yet; it is set after the write, below.
      next['business_unit_organization_id'] = next['id'] ?? null
    } else {
      const unit = parent?.['business_unit_organization_id'] ?? null
      next['business_unit_organization_id'] = unit
      next['region'] = unit === null ? null : (parent?.['region'] ?? null)
    }
  },
  async after({ before, changed, find, next, save, type }) {
    if (!before && next['business_unit'] === true) next['business_unit_organization_id'] = next['id'] ?? null
    if (before && (changed('business_unit_organization_id') || changed('region'))) {
      const children = findAll(find, type, { parent: Number(next['id']), business_unit: false })
      for await (const child of children) await save(type, Number(child['id']), {})
    }
  },
}
