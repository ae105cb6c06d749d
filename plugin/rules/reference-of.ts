import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface ReferenceSettings {
  readonly of: readonly string[]
  readonly max: number
  /** Set on creation and not changed later. */
  readonly kept?: true
}

/**
 * Derives a readable identifier of the record: the fields in lower case, blanks replaced by underscores, joined by slashes.
 * Empty fields are omitted. It follows the fields, unless `kept` is set (behaviour: Project categories, Product categories).
 */
export const referenceOf = rule('referenceOf', (column: string, { of, max, kept }: ReferenceSettings) => ({
  fields: [column, ...of],
  fill({ before, next }) {
    if (before && kept) return
    const words = of.map((field) => wordOf(next[field])).filter((word) => word !== '')
    next[column] = words.join('/').slice(0, max) || null
  },
}))

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toLowerCase().replace(/\s/g, '_') : ''
}
