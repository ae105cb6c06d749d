import { cutWithChecksum } from '../../core/text/cut.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

interface ReferenceSettings {
  readonly of: readonly string[]
  readonly max: number
  /** Set on creation and not changed later. */
  readonly kept?: true
}

/**
 * Derives a readable identifier of the record: the fields in lower case, blanks replaced by underscores, joined by slashes.
 * Empty fields are omitted. It follows the fields, unless `kept` is set. One that is too long is cut, and ends with a checksum
 * of the whole, so that fields with the same beginning have different references: ADR 0028 (behaviour: Project categories,
 * Product categories).
 */
export const referenceOf = rule('referenceOf', (column: string, { of, max, kept }: ReferenceSettings) => ({
  fields: [column, ...of],
  ...(!kept && { keeps: { [column]: of } }),
  fill({ before, changed, next }) {
    // A stored reference, which others may know by now, changes only with its fields.
    if (before && (kept || (next[column] && !of.some(changed)))) return
    const words = of.map((field) => wordOf(next[field])).filter((word) => word !== '')
    next[column] = cutWithChecksum(words.join('/'), max) || null
  },
}))

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toLowerCase().replace(/\s/g, '_') : ''
}
