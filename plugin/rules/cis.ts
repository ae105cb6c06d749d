/** Values that configuration items take from their product, and generated ones (behaviour: Configuration items). */
import { isBlank } from '../core/blank.js'
import { type FillContext, type RuleContext, rule } from '../schema/define-rule.js'

/** A CI without a name gets the name of its product. */
export const nameOfProduct = rule.for<{ name: string; product_id: number }>()('nameOfProduct', () => ({
  fields: ['name', 'product'],
  fills: ['name'],
  async fill({ load, next }) {
    if (!isBlank(next.name)) return
    const name = (await load('product', next.product_id))?.['name']
    next.name = typeof name === 'string' ? name : null
  },
}))

/** A serial number must be unique among the CIs of a brand. */
export const serialNumberOfBrand = rule.for<{ serial_nr: string; product_id: number }>()('serialNumberOfBrand', () => ({
  fields: ['serial_nr', 'product'],
  async check({ changed, fail, findBy, load, next, type }) {
    if (next.serial_nr === null || !(changed('serial_nr') || changed('product_id'))) return
    const brand = (await load('product', next.product_id))?.['brand']
    if (typeof brand !== 'string') return
    const same = (await findBy(type, 'serial_nr', next.serial_nr)).filter(({ id }) => id !== next.id)
    const products = await Promise.all(same.map((ci) => load('product', ci['product_id'])))
    if (products.some((product) => isSameText(product?.['brand'], brand))) fail('serial_nr', 'taken')
  },
}))

/** The field is for license certificates only; it is cleared when the CI becomes something else. */
export const onlyForCertificates = rule('onlyForCertificates', (field: string) => ({
  fields: [field, 'product'],
  async fill(context) {
    if (!context.given.has(field) && (await isMisplaced(context, field))) context.next[field] = null
  },
  async check(context) {
    if (await isMisplaced(context, field)) context.fail(field, 'not_allowed')
  },
}))

/** A CI without a label gets one with its id. If a person has given that label to another CI, a number is added. */
export const generatedLabel = rule.for<{ label: string }>()('generatedLabel', (prefix: string) => {
  const fillLabel = async ({ findBy, next, type }: FillContext<{ label: string }>) => {
    for (let more = 1; isBlank(next.label); more += 1) {
      const label = more === 1 ? `${prefix}${next.id}` : `${prefix}${next.id}-${more}`
      const same = await findBy(type, 'label', label)
      if (same.every(({ id }) => id === next.id)) next.label = label
    }
  }
  return {
    fields: ['label'],
    async fill(context) {
      if (context.before) await fillLabel(context)
    },
    fillWithId: fillLabel,
  }
})

async function isMisplaced({ load, next }: RuleContext, field: string): Promise<boolean> {
  if ((next[field] ?? null) === null) return false
  const product = await load('product', next['product_id'])
  const category = await load('product_category', product?.['category_id'])
  return category !== null && category['rule_set'] !== 'license_certificate'
}

/** Compares brands as the database does: without regard to case and accents. */
function isSameText(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0
}
