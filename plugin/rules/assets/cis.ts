/** Values that configuration items take from their product, and generated ones (behaviour: Configuration items). */
import { isBlank } from '../../core/text/blank.js'
import { folded, isSame } from '../../core/text/identity.js'
import { not } from '../../schema/language/conditions.js'
import { type FillContext, type RuleContext, rule } from '../../schema/language/define-rule.js'

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

interface Serial {
  readonly serial_nr: string
  readonly product_id: number
}

/**
 * A serial number must be unique among the CIs of a brand, also among those of one batch. The brand is a value of the product,
 * so no unique index can ensure this. CIs that other transactions are writing are waited for once the CI is written.
 */
export const serialNumberOfBrand = rule.for<Serial>()('serialNumberOfBrand', () => ({
  fields: ['serial_nr', 'product'],
  async checkAll(contexts) {
    const claims = await claimsOf(contexts)
    const areTaken = await Promise.all(claims.map((claim) => isTaken(claim)))
    const inBatch = new Set<string>()
    for (const [index, { brand, context }] of claims.entries()) {
      const key = JSON.stringify([folded(brand), folded(context.next.serial_nr ?? '')])
      if (areTaken[index] || inBatch.has(key)) context.fail('serial_nr', 'taken')
      inBatch.add(key)
    }
  },
  async writtenAll(contexts) {
    const claims = await claimsOf(contexts)
    const areTaken = await Promise.all(claims.map((claim) => isTaken(claim, { lock: true })))
    for (const [index, { context }] of claims.entries()) if (areTaken[index]) context.fail('serial_nr', 'taken')
  },
}))

interface Claim {
  readonly context: RuleContext<Serial>
  readonly brand: string
}

/** CIs with a new serial number or product, whose product has a brand. */
async function claimsOf(contexts: readonly RuleContext<Serial>[]): Promise<readonly Claim[]> {
  const touched = contexts.filter(
    ({ changed, next }) => next.serial_nr !== null && (changed('serial_nr') || changed('product_id')),
  )
  const products = await Promise.all(touched.map(({ load, next }) => load('product', next.product_id)))
  return touched.flatMap((context, index) => {
    const brand = products[index]?.['brand']
    return typeof brand === 'string' ? [{ context, brand }] : []
  })
}

/** True if another CI of the brand has the serial number. */
async function isTaken({ brand, context }: Claim, options?: { readonly lock: true }): Promise<boolean> {
  const { findBy, load, next, type } = context
  const found = await findBy(type, 'serial_nr', next.serial_nr, undefined, options)
  const others = found.filter(({ id }) => id !== next.id)
  const products = await Promise.all(others.map((ci) => load('product', ci['product_id'])))
  return products.some((product) => typeof product?.['brand'] === 'string' && isSame(product['brand'], brand))
}

/** The field is for license certificates only; it is cleared when the CI becomes something else. */
export const onlyForCertificates = rule('onlyForCertificates', (field: string) => ({
  fields: [field, 'product'],
  keeps: { [field]: ['product', 'product.category'] },
  async fill(context) {
    if (!context.given.has(field) && (await isMisplaced(context, field))) context.next[field] = null
  },
  async check(context) {
    if (await isMisplaced(context, field)) context.fail(field, 'not_allowed')
  },
}))

/** When a product becomes one of another category, what its CIs may have only in the former one is cleared. For products. */
export const clearedWithCategory = rule('clearedWithCategory', (record: string, { field, by }: Cleared) => ({
  fields: ['category'],
  keeps: { [`${record}.${field}`]: ['category'] },
  async writtenAll(contexts, { saveAll }) {
    const moved = contexts.filter(({ before, changed }) => before && changed('category_id'))
    const found = await Promise.all(moved.map(({ findBy, next }) => findBy(record, by, next['id'], { [field]: not(null) })))
    // Saving without values clears it.
    const items = found.flat().map(({ id }) => ({ id: Number(id), body: {} }))
    await saveAll(record, items)
  },
}))

interface Cleared {
  readonly field: string
  /** The reference to the product. */
  readonly by: string
}

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
