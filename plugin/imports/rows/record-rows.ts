/** Rows that are records of their own, or several of which are one. */
import type { Columns } from '../columns/match-columns.js'
import type { FileRow, RowShape } from '../contract.js'
import type { AbsencesDeps } from '../progress/absences.js'
import { adjacentRows, type RecordGroup } from './adjacent-rows.js'
import { backAgain } from './back-again.js'
import { namesInFile, type ReadFile } from './names-in-file.js'
import { namesOfRecords } from './names-of-records.js'
import { saveLater } from './save-later.js'
import { type SaveRowsDeps, saveRows } from './save-rows.js'
import { tiesOfRows } from './ties-of-rows.js'

/**
 * Creates the shape. Every record can be committed without its neighbours.
 *
 * @param read reads the rows of the file, in the transaction of a call
 * @param isWholeList true if it enables again what an earlier one has disabled
 */
export function recordRows(
  deps: SaveRowsDeps & AbsencesDeps,
  columns: Columns,
  read: ReadFile,
  isWholeList = false,
): RowShape<RecordGroup> {
  const list = isWholeList ? backAgain(deps, columns) : null
  const isNamedLater = namesInFile(deps.catalog, columns, read)
  return {
    groups: (_call, rows, after) =>
      columns.type.import?.rows ? adjacentRows(deps.catalog, columns, rows, after) : singleRows(columns, rows, after),
    save: (call, groups) => saveRows(deps, call, columns, isNamedLater, list, groups),
    ties: (call, groups) => tiesOfRows(deps, call, columns, groups),
    saveLater: (call, groups) => saveLater(deps, call, columns, groups),
  }
}

async function* singleRows(columns: Columns, rows: AsyncIterable<FileRow>, after: number): AsyncGenerator<RecordGroup> {
  const namedBefore = namesOfRecords(columns)
  for await (const row of rows) {
    const named = namedBefore(row)
    if (row.line > after) yield { rows: [row], isRepeated: false, ...(named !== null && { otherNameOn: named }) }
  }
}
