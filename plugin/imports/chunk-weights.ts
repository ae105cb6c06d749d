/** How much of a file shares a chunk, with its statements and its transaction. */
import type { RowGroup } from './contract.js'

/** The weight of a full chunk: so many usual rows. */
export const CHUNK_ROWS = 500
/** Characters of a full chunk. Rows of long texts fill one earlier: each step of a save holds all texts of its chunk. */
const CHUNK_CHARACTERS = 2_000_000

/**
 * Creates the weight of groups: their number of rows, or the share of their characters in a chunk if that is more.
 *
 * @param singles number of rows at the beginning whose groups fill a chunk each
 */
export function weightOfGroups(singles: number): (group: RowGroup) => number {
  let left = singles
  return ({ rows }) => {
    const isSingle = left > 0
    left -= rows.length
    return isSingle ? CHUNK_ROWS : Math.max(rows.length, (CHUNK_ROWS * charactersOf(rows)) / CHUNK_CHARACTERS)
  }
}

function charactersOf(rows: RowGroup['rows']): number {
  let sum = 0
  for (const { cells } of rows) for (const cell of cells) sum += cell.length
  return sum
}
