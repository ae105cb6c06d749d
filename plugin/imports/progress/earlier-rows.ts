/** What a dry run has undone: rows by their lines, for later rows of the file whose results depend on them. */
import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import type { Storage } from '../../storage/database/connections.js'

/** A row of the file. */
interface StoredRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Rows that were saved together, and the texts that rows which depend on them need. */
export interface EarlierGroup {
  readonly rows: readonly StoredRow[]
  readonly gives: readonly string[]
}

/** Characters of cells per insert: databases limit the size of a statement. */
const BATCH_CHARACTERS = 1024 * 1024
/** Rows per insert, and values per query. */
const BATCH = 500

/** Adds groups, in the transaction that has undone them. */
export async function insertEarlierGroups(
  storage: Storage,
  db: Knex,
  importId: number,
  groups: readonly EarlierGroup[],
): Promise<void> {
  let batch: object[] = []
  let characters = 0
  const finish = async () => {
    if (batch.length > 0) await db(storage.table('import_earlier_rows')).insert(batch)
    batch = []
    characters = 0
  }
  for (const { rows } of groups) {
    const text = JSON.stringify(rows.map(({ cells, line }) => [line, cells]))
    batch.push({ import_id: importId, line: lineOf(rows), group_rows: text })
    characters += text.length
    if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) await finish()
  }
  await finish()
  const ties = groups.flatMap(({ gives, rows }) => {
    return [...new Set(gives)].map((tie) => ({ import_id: importId, tie: digestOf(tie), line: lineOf(rows) }))
  })
  for (const some of chunksOf(ties, BATCH)) await db(storage.table('import_ties')).insert([...some])
}

/** The lines of the groups that give one of these texts, the last ones first. */
export async function linesGiving(
  storage: Storage,
  db: Knex,
  importId: number,
  needs: readonly string[],
  limit: number,
): Promise<readonly number[]> {
  const lines = new Set<number>()
  for (const some of chunksOf([...new Set(needs)].map(digestOf), BATCH)) {
    const found = await db(storage.table('import_ties'))
      .where({ import_id: importId })
      .whereIn('tie', [...some])
      .orderBy('line', 'desc')
      .limit(limit)
      .pluck('line')
    for (const line of found) lines.add(Number(line))
  }
  return [...lines].sort((a, b) => b - a).slice(0, limit)
}

/** The rows of the groups that begin at these lines, in the order of the file. */
export async function readEarlierRows(
  storage: Storage,
  db: Knex,
  importId: number,
  lines: readonly number[],
): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = []
  for (const some of chunksOf(
    [...lines].sort((a, b) => a - b),
    BATCH,
  )) {
    const texts: string[] = await db(storage.table('import_earlier_rows'))
      .where({ import_id: importId })
      .whereIn('line', [...some])
      .orderBy('line')
      .pluck('group_rows')
    for (const text of texts)
      for (const [line, cells] of JSON.parse(text) as readonly [number, readonly string[]][]) rows.push({ line, cells })
  }
  return rows
}

/** Removes the rows of an import that has ended. */
export async function removeEarlierRows(storage: Storage, db: Knex, importId: number): Promise<void> {
  for (const table of ['import_ties', 'import_earlier_rows'])
    await db(storage.table(table)).where({ import_id: importId }).delete()
}

/** The line of the first row. */
function lineOf([first]: readonly StoredRow[]): number {
  return first?.line ?? 0
}

/** Ties may contain long cells. */
function digestOf(tie: string): string {
  return hash('sha256', tie)
}
