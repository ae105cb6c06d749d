/** Rows that were saved without their references to later rows of the file, until these are saved as well. */
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import type { Storage } from '../../storage/database/connections.js'
import type { Results } from './results.js'

/** A row whose references to later rows are missing yet. */
export interface LaterRow {
  readonly line: number
  readonly recordId: number
  /** The counter that has the row. */
  readonly countedAs: keyof Results
}

/** Rows per insert, and per page. */
const BATCH = 500

/** Adds rows, in the transaction that saves them. */
export async function insertLaterRows(storage: Storage, db: Knex, importId: number, later: readonly LaterRow[]): Promise<void> {
  const rows = later.map(({ line, recordId, countedAs }) => {
    return { import_id: importId, line, record_id: recordId, counted_as: countedAs }
  })
  for (const some of chunksOf(rows, BATCH)) await db(storage.table('import_later_rows')).insert([...some])
}

/** Reads the rows after a line, in the order of the file, in pages. */
export async function* laterRowsOf(storage: Storage, importId: number, after: number): AsyncGenerator<LaterRow> {
  for (let last = after; ; ) {
    const rows = await storage
      .knex(storage.table('import_later_rows'))
      .where({ import_id: importId })
      .where('line', '>', last)
      .orderBy('line')
      .limit(BATCH)
      .select('line', 'record_id', 'counted_as')
    for (const { line, record_id: recordId, counted_as: countedAs } of rows)
      yield { line: Number(line), recordId: Number(recordId), countedAs }
    if (rows.length < BATCH) return
    last = Number(rows.at(-1)?.line)
  }
}

/** Removes the rows of an import that has ended. */
export async function removeLaterRows(storage: Storage, db: Knex, importId: number): Promise<void> {
  await db(storage.table('import_later_rows')).where({ import_id: importId }).delete()
}
