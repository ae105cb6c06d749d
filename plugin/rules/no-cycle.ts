import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** Deeper trees are refused as well: nothing real is so deep, and a damaged one must not be followed for ever. */
const MAX_DEPTH = 100

/**
 * A record must not be its own ancestor (behaviour: Organizations). Ancestors are locked, so that two moves at once do not
 * close a circle.
 */
export const noCycle = rule('noCycle', (field: string) => ({
  fields: [field],
  async check({ before, changed, fail, fieldOf, load, next, type }) {
    const { column } = fieldOf(field)
    if (!before || !changed(column)) return
    let ancestor: Json = next[column] ?? null
    for (let depth = 0; ancestor !== null; depth++) {
      if (ancestor === before['id'] || depth > MAX_DEPTH) return fail(field, 'descendant_parent')
      ancestor = (await load(type, ancestor, { lock: true }))?.[column] ?? null
    }
  },
}))
