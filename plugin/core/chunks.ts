/** Groups of what is too much for one statement. */

/** Rows of a statement that writes whole records: below the limits of SQLite (compound terms) and MySQL (packet size). */
const MAX_ROWS = 100
/** Maximum number of narrow rows in an `INSERT`: events and messages of about 1 KB. */
export const MAX_NARROW_ROWS = 200
/** Maximum number of pairs of ids in an `INSERT`: the limit of SQLite for compound terms. */
export const MAX_PAIRS = 500
/** Maximum number of values in an `IN`. */
export const MAX_VALUES = 500
/** Maximum number of values in an `IN` that is rarely long: below the limits of SQLite (32,766) and MySQL (65,535). */
export const MAX_LISTED = 10_000

/** Splits rows or values into groups of at most `size`, in order. */
export function* chunksOf<T>(all: readonly T[], size = MAX_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
