import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** A record must not be its own ancestor (gaps 7.9). Ancestors are locked, so that two moves at once do not close a circle. */
export function noCycle(field: string) {
  return { rule: 'noCycle', field } as const
}

/** Deeper trees are refused as well: nothing real is so deep, and a damaged one must not be followed for ever. */
const DEEPEST = 100

export const noCycleRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ before, changed, fail, fieldOf, load, next, type }, use) {
    const { column } = fieldOf(String(use['field']))
    if (!before || !changed(column)) return
    let ancestor: Json = next[column] ?? null
    for (let depth = 0; ancestor !== null; depth++) {
      if (ancestor === before['id'] || depth > DEEPEST) return fail(String(use['field']), 'descendant_parent')
      ancestor = (await load(type, ancestor, { lock: true }))?.[column] ?? null
    }
  },
}
