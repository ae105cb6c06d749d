/** Pairs the rows of a file with the stored sub-records of one record. Pure. */
import { isBlank } from '../core/blank.js'
import type { Row } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** A sub-record as a row says it. */
export interface GivenPart {
  /** Values by column, as the pipeline takes them; fields without a cell are left out. */
  readonly values: { readonly [column: string]: Json }
  readonly isFlagged: boolean
}

/** Meaning of a row: a stored sub-record, a new one (null), or the same as a row before it. */
export type Meant = { readonly row: Row | null } | 'repeated'

/**
 * Pairs the given with the stored sub-records of one record. One that is equal in all given values comes first, whatever its
 * flag; then, among those with the same flag, one with the same key. Each stored one is meant at most once.
 *
 * @param key columns; a given part without a value for each of them means none by its key
 * @param flag the column of the flag; null when there is none
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

  /** Pairs what has the same text in these columns, with an index, because files may be hostile; null leaves a part out. */
  const pair = (columnsOf: (part: GivenPart) => readonly string[] | null, compareFlag: boolean) => {
    const indexes = new Map<string, Map<string, Row[]>>()
    for (const part of given) {
      const columns = meant.has(part) ? null : columnsOf(part)
      if (columns === null) continue
      const name = columns.join('\n')
      const index = indexes.get(name) ?? indexBy(free, (row) => (compareFlag ? flagOf(row) : '') + textOf(row, columns))
      indexes.set(name, index)
      const alike = index.get((compareFlag ? flagGiven(part) : '') + textOf(part.values, columns)) ?? []
      // One that was paired by other columns meanwhile is passed over.
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

/** The values as one text; what a database does not tell apart is the same. */
function textOf(values: Row, columns: readonly string[]): string {
  const texts = columns.map((column) => {
    const value = values[column] ?? ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value).trim().toLowerCase()
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
