/** The rows of imports that were not saved, for the file of failures. */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'

/** A row that was not saved, or that has to be imported together with one. */
export interface FailedRow {
  readonly line: number
  readonly cells: readonly string[]
  /** Header of the column at fault; empty if there is none. */
  readonly field: string
  /** Without the values; empty for a row that was saved. */
  readonly reason: string
}

/** Characters of cells per insert: databases limit the size of a statement. */
const BATCH_CHARACTERS = 1024 * 1024
/** Rows per insert, and per page. */
const BATCH = 100

/** Adds rows, in the transaction that saves their neighbours. */
export async function insertFailedRows(
  storage: Storage,
  db: Knex,
  importId: number,
  failed: readonly FailedRow[],
): Promise<void> {
  let batch: object[] = []
  let characters = 0
  const finish = async () => {
    if (batch.length > 0) await db(storage.table('import_failures')).insert(batch)
    batch = []
    characters = 0
  }
  for (const { cells, field, line, reason } of failed) {
    const text = JSON.stringify(cells)
    batch.push({ import_id: importId, line, cells: text, field, reason })
    characters += text.length
    if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) await finish()
  }
  await finish()
}

/** Reads the rows in the order of the file, in pages. */
export async function* failedRowsOf(storage: Storage, importId: number): AsyncGenerator<FailedRow> {
  for (let last = 0; ; ) {
    const rows = await storage
      .knex(storage.table('import_failures'))
      .where({ import_id: importId })
      .where('line', '>', last)
      .orderBy('line')
      .limit(BATCH)
      .select('line', 'cells', 'field', 'reason')
    for (const { cells, field, line, reason } of rows)
      yield { line: Number(line), cells: typeof cells === 'string' ? JSON.parse(cells) : cells, field, reason }
    if (rows.length < BATCH) return
    last = Number(rows.at(-1)?.line)
  }
}

/** Stores the header row, which stands above the failed rows. */
export async function saveHeader(storage: Storage, db: Knex, importId: number, header: readonly string[]): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({ header: JSON.stringify(header) })
}

/** Reads the header row; empty if the import has not read it. */
export async function headerOf(storage: Storage, importId: number): Promise<readonly string[]> {
  const row = await storage.knex(storage.table('imports')).where({ id: importId }).first('header')
  return row?.header ? JSON.parse(row.header) : []
}
