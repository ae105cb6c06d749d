import { createHash } from 'node:crypto'
import { cut } from '../../core/text/cut.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

interface ReferenceSettings {
  readonly of: readonly string[]
  readonly max: number
  /** Set on creation and not changed later. */
  readonly kept?: true
}

/** Number of characters of the checksum at the end of a reference that is cut, and what separates it. */
const CHECKSUM_LENGTH = 8
const SEPARATOR = '~'

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
    next[column] = withinLength(words.join('/'), max) || null
  },
}))

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toLowerCase().replace(/\s/g, '_') : ''
}

function withinLength(reference: string, max: number): string {
  if (cut(reference, max) === reference) return reference
  const checksum = createHash('sha256').update(reference).digest('hex').slice(0, CHECKSUM_LENGTH)
  return cut(reference, max - CHECKSUM_LENGTH - SEPARATOR.length) + SEPARATOR + checksum
}
