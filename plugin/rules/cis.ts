/** What configuration items take over from their product, and what they generate (gaps 6.5). */
import { isBlank } from '../core/blank.js'
import type { Rule, RuleContext } from '../schema/define-rule.js'

/** A CI without a name is called like its product. */
export function nameOfProduct() {
  return { rule: 'nameOfProduct' } as const
}

/** A serial number is there once among the CIs of a brand. */
export function serialNumberOfBrand() {
  return { rule: 'serialNumberOfBrand' } as const
}

/** The field is for license certificates only; it is cleared when the CI becomes something else. */
export function onlyForCertificates(field: string) {
  return { rule: 'onlyForCertificates', field } as const
}

/** A CI without a label gets one that is made of its id. */
export function generatedLabel(prefix: string) {
  return { rule: 'generatedLabel', prefix } as const
}

export const nameOfProductRule: Rule = {
  fields: () => ['name', 'product'],
  fills: () => ['name'],
  async before({ load, next }) {
    if (isBlank(next['name'])) next['name'] = (await load('product', next['product_id']))?.['name'] ?? null
  },
}

export const serialNumberOfBrandRule: Rule = {
  fields: () => ['serial_nr', 'product'],
  async before({ changed, fail, find, load, next, type }) {
    const number = next['serial_nr']
    if (typeof number !== 'string' || !(changed('serial_nr') || changed('product_id'))) return
    const brand = (await load('product', next['product_id']))?.['brand']
    if (typeof brand !== 'string') return
    const same = await find(type, { serial_nr: number, 'product.brand': brand })
    if (same.some((ci) => ci['id'] !== next['id'])) fail('serial_nr', 'taken')
  },
}

export const onlyForCertificatesRule: Rule = {
  fields: (use) => [String(use['field']), 'product'],
  async before({ fail, given, load, next }, use) {
    const field = String(use['field'])
    if ((next[field] ?? null) === null) return
    const product = await load('product', next['product_id'])
    const category = await load('product_category', product?.['category_id'])
    if (!category || category['rule_set'] === 'license_certificate') return
    if (given.has(field)) fail(field, 'not_allowed')
    else next[field] = null
  },
}

export const generatedLabelRule: Rule = {
  fields: () => ['label'],
  async before(context, use) {
    if (context.before) await fillLabel(context, String(use['prefix']))
  },
  async after(context, use) {
    if (!context.before) await fillLabel(context, String(use['prefix']))
  },
}

/** Somebody may have given such a label by hand, hence the second number. */
async function fillLabel({ find, next, type }: RuleContext, prefix: string): Promise<void> {
  if (!isBlank(next['label'])) return
  for (let more = 1; ; more += 1) {
    const label = more === 1 ? `${prefix}${next['id']}` : `${prefix}${next['id']}-${more}`
    if ((await find(type, { label })).some((ci) => ci['id'] !== next['id'])) continue
    next['label'] = label
    return
  }
}
