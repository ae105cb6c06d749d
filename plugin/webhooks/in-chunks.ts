/** Maximum number of values in an `IN`. */
const VALUES_A_STATEMENT = 500

/** The values in groups that fit into one statement. */
export function inChunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / VALUES_A_STATEMENT) }, (_, index) =>
    all.slice(index * VALUES_A_STATEMENT, (index + 1) * VALUES_A_STATEMENT),
  )
}
