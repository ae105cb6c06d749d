/** Rows that are records of their own. */
import type { Columns } from '../columns/match-columns.js'
import type { RowShape } from '../contract.js'
import { namesInFile, type ReadFile } from './names-in-file.js'
import { saveLater } from './save-later.js'
import { type SaveRowsDeps, saveRows } from './save-rows.js'

/**
 * Creates the shape. Every row can be committed without its neighbours.
 *
 * @param read reads the rows of the file, in the transaction of a call
 */
export function recordRows(deps: SaveRowsDeps, columns: Columns, read: ReadFile): RowShape {
  const isNamedLater = namesInFile(deps.catalog, columns, read)
  return {
    async *groups(rows, after) {
      for await (const row of rows) if (row.line > after) yield { rows: [row] }
    },
    save(call, groups) {
      const rows = groups.flatMap((group) => group.rows)
      return saveRows(deps, call, columns, isNamedLater, rows)
    },
    saveLater: (call, groups) => saveLater(deps, call, columns, groups),
  }
}
