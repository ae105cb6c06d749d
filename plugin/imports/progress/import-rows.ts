/** The rows of imports. Timestamps are texts in UTC. */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import type { FileChunks } from '../../storage/queues/file-chunks.js'
import { parseResults, type Results } from './results.js'

export type ImportState = 'queued' | 'processing' | 'done' | 'error'

/** Other headers of a file: `{ "Full name": "Name" }` reads the column Full name as Name. */
export type HeaderMapping = { readonly [header: string]: string }

export interface ImportRow {
  readonly id: number
  readonly token: string
  readonly accountId: string
  readonly personId: number
  readonly language: string
  /** Value of `type` in POST /import. */
  readonly type: string
  readonly fileName: string
  readonly state: ImportState
  /** Line of the last row that is done; 0 before the header. */
  readonly line: number
  /** Line of the last row that is done in the second pass, through the rows that refer to later ones. */
  readonly laterLine: number
  /** Lines of the file; null if they were not counted. */
  readonly lines: number | null
  readonly mapping: HeaderMapping
  /** True if nothing is stored. */
  readonly dryRun: boolean
  /** True if new records come with their past. */
  readonly history: boolean
  /**
   * The percentage of the records of its source which the file may lack, so that they are disabled; null if none is disabled.
   */
  readonly absentLimit: number | null
  /** The last of these records that is done. */
  readonly absentId: number
  /** The import that is undone; null if this is an import of a file. */
  readonly undoOf: number | null
  /** The step of an undo, and the id of the last thing of it that was undone; null before the first. */
  readonly undoStep: number
  readonly undoBelow: number | null
  /** The ids of the newest audit line before the first row and after the last one; null if they are not known. */
  readonly linesAfter: number | null
  readonly linesUntil: number | null
  readonly results: Results
  /** Number of times in a row that the work stopped (the worker died, or was blocked) without saving another line. */
  readonly stalledRuns: number
  readonly message: string | null
  /** `20261121/acme/17.people.log`, below /imports. */
  readonly logName: string
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const COLUMNS = [
  'id',
  'token',
  'account_id',
  'person_id',
  'language',
  'type',
  'file_name',
  'state',
  'line',
  'later_line',
  'results',
  'stalled_runs',
  'lines',
  'mapping',
  'dry_run',
  'history',
  'absent_limit',
  'absent_id',
  'undo_of',
  'undo_step',
  'undo_below',
  'lines_after',
  'lines_until',
]
const MOMENTS = ['created_at', 'started_at', 'finished_at']

/** Inserts an import and returns its id. The log name is derived from the id. */
export async function insertImport(
  storage: Storage,
  db: Knex,
  row: Pick<
    ImportRow,
    | ('token' | 'accountId' | 'personId' | 'language' | 'type' | 'fileName' | 'mapping')
    | ('dryRun' | 'history' | 'absentLimit' | 'undoOf' | 'createdAt')
  >,
): Promise<number> {
  const created = timestampOf(row.createdAt)
  const [id] = await db(storage.table('imports')).insert({
    token: row.token,
    account_id: row.accountId,
    person_id: row.personId,
    language: row.language,
    type: row.type,
    file_name: row.fileName,
    state: 'queued',
    line: 0,
    mapping: JSON.stringify(row.mapping),
    dry_run: row.dryRun,
    history: row.history,
    absent_limit: row.absentLimit,
    undo_of: row.undoOf,
    created_at: created,
  })
  const importId = Number(id)
  const logName = `${created.slice(0, 10).replaceAll('-', '')}/${row.accountId}/${importId}.${row.type}.log`
  await db(storage.table('imports')).where({ id: importId }).update({ log_name: logName })
  return importId
}

/** Stores how many lines the file has, when all of it has arrived. */
export async function saveLines(storage: Storage, db: Knex, importId: number, lines: number | null): Promise<void> {
  await db(storage.table('imports')).where({ id: importId }).update({ lines })
}

/** Place of the file of an import. */
export function fileChunksOfImport(importId: number): FileChunks {
  return { table: 'import_chunks', file: { import_id: importId } }
}

/** Finds an import by its id or token; null if there is none. */
export async function findImport(
  storage: Storage,
  by: { readonly id: number } | { readonly token: string },
  db: Knex = storage.knex,
): Promise<ImportRow | null> {
  const row = await selectImports(storage, db).where(by).first()
  return row ? importOf(row) : null
}

/** The account of an import; null if the import does not exist. */
export async function accountOfImport(storage: Storage, importId: number): Promise<string | null> {
  const row = await storage.knex(storage.table('imports')).where({ id: importId }).first('account_id')
  return row?.account_id ?? null
}

/** The columns of imports, as `importOf` reads them. */
export function selectImports(storage: Storage, db: Knex) {
  return db(storage.table('imports')).select(...COLUMNS, 'message', 'log_name', ...MOMENTS)
}

export function importOf(row: Record<string, string | number | null>): ImportRow {
  const moment = (column: string) => (row[column] === null ? null : dateOfTimestamp(String(row[column])))
  return {
    id: Number(row['id']),
    token: String(row['token']),
    accountId: String(row['account_id']),
    personId: Number(row['person_id']),
    language: String(row['language']),
    type: String(row['type']),
    fileName: String(row['file_name'] ?? ''),
    state: row['state'] as ImportState,
    line: Number(row['line']),
    laterLine: Number(row['later_line']),
    lines: numberIn(row['lines']),
    dryRun: Number(row['dry_run']) === 1,
    history: Number(row['history']) === 1,
    absentLimit: numberIn(row['absent_limit']),
    absentId: Number(row['absent_id']),
    undoOf: numberIn(row['undo_of']),
    undoStep: Number(row['undo_step']),
    undoBelow: numberIn(row['undo_below']),
    linesAfter: numberIn(row['lines_after']),
    linesUntil: numberIn(row['lines_until']),
    mapping: row['mapping'] ? JSON.parse(String(row['mapping'])) : {},
    results: parseResults(row['results']),
    stalledRuns: Number(row['stalled_runs']),
    message: row['message'] === null ? null : String(row['message']),
    logName: String(row['log_name']),
    createdAt: dateOfTimestamp(String(row['created_at'])),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  }
}

function numberIn(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}
