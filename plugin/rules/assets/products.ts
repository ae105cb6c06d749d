/** Derived values of products and their categories (behaviour: Products, Product categories). */
import { cut } from '../../core/text/cut.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

/** Maximum number of characters of a name (behaviour: Products). */
const MAX_NAME_LENGTH = 128

interface Product {
  readonly name: string
  readonly brand: string
  readonly model: string
  readonly category_id: number
}

/** A product without a name gets one from its brand, its model and its category. */
export const productName = rule.for<Product>()('productName', () => ({
  fields: ['name', 'brand', 'model', 'category'],
  fills: ['name'],
  async fill({ load, next }) {
    if (isText(next.name)) return
    const category = await load('product_category', next.category_id)
    const words = [next.brand, next.model, category?.['name']].filter(isText)
    next.name = cut(words.join(' '), MAX_NAME_LENGTH) || null
  },
}))

interface ValueSettings {
  readonly of: string
  readonly values: { readonly [value: string]: Json }
  /** The value for all values that are not listed. */
  readonly otherwise: Json
}

/** Derives the value of one field from another one. */
export const valueBy = rule('valueBy', (column: string, settings: ValueSettings) => ({
  fields: [column, settings.of],
  keeps: { [column]: [settings.of] },
  fill({ next }) {
    const { of, otherwise, values } = settings
    const value = String(next[of] ?? '')
    next[column] = (Object.hasOwn(values, value) ? values[value] : otherwise) ?? null
  },
}))

/** The field cannot be changed once records of the type `by` refer to this one. */
export const fixedWhileUsed = rule(
  'fixedWhileUsed',
  (field: string, settings: { readonly by: string; readonly as: string }) => ({
    fields: [field],
    async check({ before, changed, fail, isReferred, next }) {
      if (before && changed(field) && (await isReferred(settings.by, settings.as, next['id']))) fail(field, 'cannot_be_changed')
    },
  }),
)

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
