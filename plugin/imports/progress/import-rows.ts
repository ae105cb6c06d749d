/**
 * The rows of imports, with their progress. Timestamps are texts in UTC. One import of an account is worked on at a time: the
 * lease is that of the account. `claimed_by` is set while a worker is busy with an import; a worker that finds it set knows
 * that the previous one did not release the import.
 */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { type FileChunks, removeFileChunks } from '../../storage/queues/file-chunks.js'
import type { Lease } from '../../storage/queues/leases.js'
import { removeLaterRows } from './later-rows.js'
import { parseResults, type Results } from './results.js'

export type ImportState = 'queued' | 'processing' | 'done' | 'error'

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

const UNFINISHED = ['queued', 'processing']
/** The value of `claimed_by`. */
const BUSY = 'a worker'
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
]
const MOMENTS = ['created_at', 'started_at', 'finished_at']

/** Inserts an import and returns its id. The log name is derived from the id. */
export async function insertImport(
  storage: Storage,
  db: Knex,
  row: Pick<ImportRow, 'token' | 'accountId' | 'personId' | 'language' | 'type' | 'fileName' | 'createdAt'>,
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
    created_at: created,
  })
  const importId = Number(id)
  const logName = `${created.slice(0, 10).replaceAll('-', '')}/${row.accountId}/${importId}.${row.type}.log`
  await db(storage.table('imports')).where({ id: importId }).update({ log_name: logName })
  return importId
}

/** Place of the file of an import. */
export function fileChunksOfImport(importId: number): FileChunks {
  return { table: 'import_chunks', file: { import_id: importId } }
}

/** Finds an import by its id or token; null if there is none. */
export async function findImport(
  storage: Storage,
  by: { readonly id: number } | { readonly token: string },
): Promise<ImportRow | null> {
  const row = await select(storage, storage.knex).where(by).first()
  return row ? importOf(row) : null
}

/**
 * The imports whose turn it is: of each account the one that is being worked on, else the one that was submitted first.
 *
 * @param accountId only of this account
 */
export async function importsInTurn(storage: Storage, accountId?: string): Promise<readonly number[]> {
  const rows = await storage
    .knex(storage.table('imports'))
    .whereIn('state', UNFINISHED)
    .where(accountId === undefined ? {} : { account_id: accountId })
    .orderBy('id')
    .select('id', 'account_id', 'state')
  const first = new Map<string, number>()
  const working = rows.filter((row) => row.state === 'processing')
  for (const row of [...working, ...rows]) if (!first.has(row.account_id)) first.set(row.account_id, Number(row.id))
  return [...first.values()]
}

/** The account of an import; null if the import does not exist. */
export async function accountOfImport(storage: Storage, importId: number): Promise<string | null> {
  const row = await storage.knex(storage.table('imports')).where({ id: importId }).first('account_id')
  return row?.account_id ?? null
}

/**
 * Records that a worker begins, in a transaction of the account's lease. Null if the import has ended, or it is not its turn. A
 * worker that did not release the import has stalled: that is counted here, before the work begins, because this one may stall
 * as well. `wasCutOff` says that it did not stall: an outage of the database kept it from releasing the import.
 */
export async function beginImport(
  storage: Storage,
  db: Knex,
  importId: number,
  { now, wasCutOff }: { readonly now: Date; readonly wasCutOff: boolean },
): Promise<ImportRow | null> {
  const row = await select(storage, db).select('claimed_by').where({ id: importId }).first()
  if (!row) return null
  const turn = await db(storage.table('imports'))
    .where({ account_id: row['account_id'] })
    .whereIn('state', UNFINISHED)
    // What is being worked on comes first.
    .orderByRaw("case when state = 'processing' then 0 else 1 end, id")
    .first('id')
  if (Number(turn?.id) !== importId) return null
  const isStalled = row['claimed_by'] !== null && !wasCutOff
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({
      state: 'processing',
      claimed_by: BUSY,
      started_at: db.raw('coalesce(started_at, ?)', [timestampOf(now)]),
      ...(isStalled && { stalled_runs: db.raw('stalled_runs + 1') }),
    })
  const begun = await select(storage, db).where({ id: importId }).first()
  return begun ? importOf(begun) : null
}

/** Releases the import, in a transaction of the account's lease, so that any worker can continue it. */
export async function giveBackImport(
  storage: Storage,
  db: Knex,
  importId: number,
  { stalled }: { readonly stalled: boolean },
): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({ claimed_by: null, ...(stalled && { stalled_runs: db.raw('stalled_runs + 1') }) })
}

/**
 * Saves the progress of the import, which also shows that the work does not stall. @throws LeaseLost if another worker has it
 */
export async function saveProgress(
  storage: Storage,
  db: Knex,
  importId: number,
  lease: Lease,
  { line, laterLine, results }: Pick<ImportRow, 'line' | 'laterLine' | 'results'>,
): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({ line, later_line: laterLine, results: JSON.stringify(results), stalled_runs: 0 })
  await lease.fence(db)
}

/** Ends the import and deletes its file, in a transaction of the account's lease. */
export async function saveEnd(
  storage: Storage,
  db: Knex,
  importId: number,
  end: { readonly state: 'done' | 'error'; readonly message: string | null; readonly results: Results; readonly at: Date },
): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({
      state: end.state,
      message: end.message,
      results: JSON.stringify(end.results),
      finished_at: timestampOf(end.at),
      claimed_by: null,
    })
  await removeFileChunks(storage, db, fileChunksOfImport(importId))
  await removeLaterRows(storage, db, importId)
}

function select(storage: Storage, db: Knex) {
  const moments = MOMENTS.map((column) => momentColumn(db, column))
  return db(storage.table('imports')).select(...COLUMNS, 'message', 'log_name', ...moments)
}

/** A timestamp column as text, independent of how a lent connection converts dates. */
export function momentColumn(db: Knex, column: string): Knex.Raw {
  return db.raw('cast(?? as char) as ??', [column, column])
}

function importOf(row: Record<string, string | number | null>): ImportRow {
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
    results: parseResults(row['results']),
    stalledRuns: Number(row['stalled_runs']),
    message: row['message'] === null ? null : String(row['message']),
    logName: String(row['log_name']),
    createdAt: dateOfTimestamp(String(row['created_at'])),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  }
}
