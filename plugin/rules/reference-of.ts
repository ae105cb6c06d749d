import { rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface ReferenceSettings {
  readonly of: readonly string[]
  readonly max: number
  /** The text stays as it was made. */
  readonly kept?: true
}

/**
 * A text that stands for the record: the fields in lower case, blanks replaced by underscores, joined by slashes. It follows
 * the fields, unless it is to be kept as it was made; fields that are empty are left out (behaviour: Project categories,
 * Product categories).
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
