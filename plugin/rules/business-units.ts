import { rule } from '../schema/define-rule.js'

interface Unit {
  readonly business_unit: boolean
  readonly business_unit_organization_id: number
  readonly parent_id: number
  readonly region: string
}

/**
 * Business units of an organization tree (behaviour: Organizations). `business_unit_organization` is the record itself if it is
 * a business unit, else that of its parent. The region of a business unit is copied to the organizations below it, which cannot
 * have another one. Children are saved one level after the other, so that their changes have audit lines and events as well.
 */
export const businessUnits = rule.for<Unit>()('businessUnits', () => ({
  fields: ['business_unit', 'business_unit_organization', 'parent', 'region'],
  async fill({ load, next, type }) {
    if (next.business_unit === true) {
      // The id of a new record is not known yet.
      next.business_unit_organization_id = next.id ?? null
      return
    }
    const parent = await load(type, next.parent_id)
    const unit = parent?.['business_unit_organization_id'] ?? null
    next.business_unit_organization_id = typeof unit === 'number' ? unit : null
    next.region = unit === null ? null : ((parent?.['region'] ?? null) as string | null)
  },
  /** A new business unit refers to itself; `fill` did not know its id yet. */
  fillWithId({ next }) {
    if (next.business_unit === true) next.business_unit_organization_id = next.id
  },
  async writtenAll(contexts, { saveAll }) {
    const moved = contexts.filter(
      ({ before, changed }) => before && (changed('business_unit_organization_id') || changed('region')),
    )
    const children = await Promise.all(
      moved.map(({ findBy, next, type }) => findBy(type, 'parent', next.id, { business_unit: false })),
    )
    const items = children.flat().map((child) => ({ id: Number(child['id']), body: {} }))
    const [first] = moved
    if (first) await saveAll(first.type, items)
  },
}))
