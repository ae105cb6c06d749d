/** Remembers which names the rows of a file have given to their records, to find those that are named twice. */
import { hash } from 'node:crypto'
import { normalized } from '../../core/text/identity.js'
import { type Columns, cellOf, identify, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { tokenOf } from './lookups.js'

/** Records that are remembered: the last ones of very long files. */
const REMEMBERED = 100_000

/**
 * Creates a function to be called with each row, in the order of the file. It returns the line of the row before that has the same
 * identity and another name; null if there is none.
 */
export function namesOfRecords(columns: Columns): (row: FileRow) => number | null {
  const { title } = columns.type
  const lines = new Map<string, { readonly line: number; readonly name: string }>()
  return ({ cells, line }) => {
    const name = title === null ? '' : cellOf(columns, cells, isField(title))
    const token = name === '' ? null : tokenOf(identify(columns, cells))
    if (token === null) return null
    // Cells would keep the text around them in memory.
    const [key, own] = [hash('md5', token), hash('md5', normalized(name))]
    const earlier = lines.get(key)
    lines.delete(key)
    lines.set(key, { line, name: own })
    const [oldest] = lines.keys()
    if (lines.size > REMEMBERED && oldest !== undefined) lines.delete(oldest)
    return earlier && earlier.name !== own ? earlier.line : null
  }
}
