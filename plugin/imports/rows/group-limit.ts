/** Limits the rows of one record. */
import type { FileRow } from '../contract.js'
import { ImportStopped } from '../progress/stopped.js'

/** Maximum number of rows per record: they are saved in one transaction, which must not be a whole file. */
const MAX_GROUP_ROWS = 500

/** Checks that a record may have another row. @throws ImportStopped at the first of its rows */
export function checkRoomAfter(count: number, first: FileRow | undefined): void {
  if (!first || count < MAX_GROUP_ROWS) return
  throw new ImportStopped('too_many_rows', { max: MAX_GROUP_ROWS, line: first.line }, first.line)
}
