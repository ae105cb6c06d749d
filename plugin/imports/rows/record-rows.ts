/** Rows that are records of their own, or several of which are one. */
import type { Columns } from '../columns/match-columns.js'
import type { FileRow, RowShape } from '../contract.js'
import { adjacentRows, type RecordGroup } from './adjacent-rows.js'
import { namesInFile, type ReadFile } from './names-in-file.js'
import { saveLater } from './save-later.js'
import { type SaveRowsDeps, saveRows } from './save-rows.js'
import { tiesOfRows } from './ties-of-rows.js'

/**
 * Creates the shape. Every record can be committed without its neighbours.
 *
 * @param read reads the rows of the file, in the transaction of a call
 */
export function recordRows(deps: SaveRowsDeps, columns: Columns, read: ReadFile): RowShape<RecordGroup> {
  const isNamedLater = namesInFile(deps.catalog, columns, read)
  return {
    groups: (_call, rows, after) =>
      columns.type.import?.rows ? adjacentRows(deps.catalog, columns, rows, after) : singleRows(rows, after),
    save: (call, groups) => saveRows(deps, call, columns, isNamedLater, groups),
    ties: (call, groups) => tiesOfRows(deps, call, columns, groups),
    saveLater: (call, groups) => saveLater(deps, call, columns, groups),
  }
}

async function* singleRows(rows: AsyncIterable<FileRow>, after: number): AsyncGenerator<RecordGroup> {
  for await (const row of rows) if (row.line > after) yield { rows: [row], isRepeated: false }
}
