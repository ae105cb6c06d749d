/** What products and their categories derive (gaps 6.6, 7.20). */
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** A product without a name is called after its brand, its model and its category. */
export function productName() {
  return { rule: 'productName' } as const
}

/** The value of one field follows from the value of another one; `otherwise` stands for all values that are not named. */
export function valueBy(
  column: string,
  settings: { readonly of: string; readonly values: { readonly [value: string]: Json }; readonly otherwise: Json },
) {
  return { rule: 'valueBy', column, ...settings } as const
}

/** The field cannot be changed any more once records of the type `by` refer to this one. */
export function fixedWhileUsed(field: string, settings: { readonly by: string; readonly as: string }) {
  return { rule: 'fixedWhileUsed', field, ...settings } as const
}

/** Gaps 6.6: a name has at most so many characters. */
const LONGEST_NAME = 128

export const productNameRule: Rule = {
  fields: () => ['name', 'brand', 'model', 'category'],
  fills: () => ['name'],
  async before({ load, next }) {
    if (isText(next['name'])) return
    const category = await load('product_category', next['category_id'])
    const words = [next['brand'], next['model'], category?.['name']].filter(isText)
    next['name'] = words.join(' ').slice(0, LONGEST_NAME) || null
  },
}

export const valueByRule: Rule = {
  fields: (use) => [String(use['column']), String(use['of'])],
  before({ next }, use) {
    const values = use['values'] as { readonly [value: string]: Json }
    const value = String(next[String(use['of'])] ?? '')
    next[String(use['column'])] = (Object.hasOwn(values, value) ? values[value] : use['otherwise']) ?? null
  },
}

export const fixedWhileUsedRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ before, changed, fail, find, next }, use) {
    const field = String(use['field'])
    if (!before || !changed(field)) return
    const users = await find(String(use['by']), { [String(use['as'])]: Number(next['id']) })
    if (users.length > 0) fail(field, 'cannot_be_changed')
  },
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
