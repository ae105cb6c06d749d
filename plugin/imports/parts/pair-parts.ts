/** Pairs the rows of a file with the stored sub-records of one record. Pure. */
import { isBlank } from '../../core/text/blank.js'
import { folded } from '../../core/text/identity.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'

/** A sub-record in a row. */
export interface GivenPart {
  /** Values by column, in the form of the pipeline; fields without a cell are omitted. */
  readonly values: { readonly [column: string]: Json }
  readonly isFlagged: boolean
}

/** Target of a row: a stored sub-record, a new one (null), or the same as an earlier row. */
export type Meant = { readonly row: Row | null } | 'repeated'

/**
 * Pairs the sub-records of a file with the stored ones of one record. First by all values of the row, with the same flag and
 * then with any flag; then by the key, with the same flag. Each stored sub-record is used at most once.
 *
 * @param key columns; a row without a value for each of them is not paired by key
 * @param flag the column of the flag; null if there is none
 */
export function pairParts(
  given: readonly GivenPart[],
  stored: readonly Row[],
  key: readonly string[],
  flag: string | null,
): readonly Meant[] {
  const free = new Set(stored)
  const flagOf = (row: Row) => (flag === null ? '' : String(row[flag] === true))
  const flagGiven = (part: GivenPart) => (flag === null ? '' : String(part.isFlagged))
  const meant = new Map<GivenPart, Meant>()
  const first = new Set<string>()
  for (const part of given) {
    const columns = Object.keys(part.values)
    const text = JSON.stringify([flagGiven(part), columns, textOf(part.values, columns)])
    if (first.has(text)) meant.set(part, 'repeated')
    else first.add(text)
  }

  /**
   * Pairs rows with the same text in these columns; null skips a row. Uses an index, because hostile files may have many rows.
   */
  const pair = (columnsOf: (part: GivenPart) => readonly string[] | null, compareFlag: boolean) => {
    const indexes = new Map<string, Map<string, Row[]>>()
    for (const part of given) {
      const columns = meant.has(part) ? null : columnsOf(part)
      if (columns === null) continue
      const name = columns.join('\n')
      const index = indexes.get(name) ?? indexBy(free, (row) => (compareFlag ? flagOf(row) : '') + textOf(row, columns))
      indexes.set(name, index)
      const alike = index.get((compareFlag ? flagGiven(part) : '') + textOf(part.values, columns)) ?? []
      // Skip a stored sub-record that was paired by other columns.
      let row = alike.shift()
      while (row && !free.has(row)) row = alike.shift()
      if (!row) continue
      free.delete(row)
      meant.set(part, { row })
    }
  }

  const all = (part: GivenPart) => Object.keys(part.values)
  pair(all, true)
  pair(all, false)
  pair(({ values }) => (key.length > 0 && key.every((column) => !isBlank(values[column])) ? key : null), true)
  return given.map((part) => meant.get(part) ?? { row: null })
}

/** Returns the values as one text; texts count without regard to case. */
function textOf(values: Row, columns: readonly string[]): string {
  const texts = columns.map((column) => {
    const value = values[column] ?? ''
    return typeof value === 'object' ? JSON.stringify(value) : folded(String(value).trim())
  })
  return JSON.stringify(texts)
}

function indexBy(rows: Iterable<Row>, textOf: (row: Row) => string): Map<string, Row[]> {
  const index = new Map<string, Row[]>()
  for (const row of rows) {
    const text = textOf(row)
    const alike = index.get(text)
    if (alike) alike.push(row)
    else index.set(text, [row])
  }
  return index
}
