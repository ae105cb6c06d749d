/** The rows of exports, with how far each has come. Timestamps are texts in UTC. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'
import { type FileChunks, insertFileChunk } from '../storage/queues/file-chunks.js'
import type { Lease } from '../storage/queues/leases.js'

export type ExportState = 'queued' | 'processing' | 'done' | 'error'

/** How far an export has come. */
export interface ExportProgress {
  /** The number of the type that is being written, in the order of `types`. */
  readonly typeNumber: number
  /** The last record of it that is written. */
  readonly lastId: number
  /** Rows that are written, of all types. */
  readonly line: number
  /** The number of the next chunk of its file. */
  readonly position: number
}

export interface ExportRow extends ExportProgress {
  readonly id: number
  readonly token: string
  readonly accountId: string
  readonly personId: number
  readonly language: string
  /** Names of import types. */
  readonly types: readonly string[]
  /** Record types that the token of the caller opens; null for all of them. */
  readonly recordTypes: readonly string[] | null
  /** Only records that have stored a time since; null for all. Earlier than what was asked for, see `timesSince`. */
  readonly since: Date | null
  /** What to ask for next; null for exports of earlier versions. */
  readonly nextFrom: Date | null
  readonly state: ExportState
  /** Runs without progress, one after the other. */
  readonly stalledRuns: number
  readonly message: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

const UNFINISHED = ['queued', 'processing']
const COLUMNS = ['id', 'token', 'account_id', 'person_id', 'language', 'types', 'state', 'type_number', 'last_id', 'line']
const MORE_COLUMNS = ['record_types', 'position', 'stalled_runs', 'message']
const MOMENTS = ['since', 'next_from', 'created_at', 'finished_at']
/** Exports that are removed at once. */
const PURGED_AT_ONCE = 20

/** Adds an export to the end of the account's queue, and returns its id. */
export async function insertExport(
  storage: Storage,
  db: Knex,
  row: Pick<ExportRow, 'token' | 'accountId' | 'personId' | 'language' | 'types' | 'recordTypes' | 'since' | 'createdAt'> & {
    readonly nextFrom: Date
  },
): Promise<number> {
  const [id] = await db(storage.table('exports')).insert({
    token: row.token,
    account_id: row.accountId,
    person_id: row.personId,
    language: row.language,
    types: JSON.stringify(row.types),
    record_types: row.recordTypes && JSON.stringify(row.recordTypes),
    since: row.since && timestampOf(row.since),
    next_from: timestampOf(row.nextFrom),
    state: 'queued',
    created_at: timestampOf(row.createdAt),
  })
  return Number(id)
}

/** Place of the file of one type. */
export function chunksOfExport(exportId: number, typeNumber: number): FileChunks {
  return { table: 'export_chunks', file: { export_id: exportId, type_number: typeNumber } }
}

/** Finds an export; null if there is none. */
export async function findExport(
  storage: Storage,
  by: { readonly id: number } | { readonly token: string },
  db: Knex = storage.knex,
): Promise<ExportRow | null> {
  const row = await db(storage.table('exports'))
    .select(...COLUMNS, ...MORE_COLUMNS, ...MOMENTS)
    .where(by)
    .first()
  return row ? exportOf(row) : null
}

/** The number of exports of an account that have not ended. */
export async function countWaiting(storage: Storage, db: Knex, accountId: string): Promise<number> {
  const [row] = await db(storage.table('exports'))
    .where({ account_id: accountId })
    .whereIn('state', UNFINISHED)
    .count({ number: '*' })
  return Number(row?.['number'])
}

/** The exports whose turn it is: of each account the one that was asked for first. @param accountId only of this account */
export async function exportsInTurn(storage: Storage, accountId?: string): Promise<readonly number[]> {
  const rows: { id: number }[] = await storage
    .knex(storage.table('exports'))
    .whereIn('state', UNFINISHED)
    .where(accountId === undefined ? {} : { account_id: accountId })
    .groupBy('account_id')
    .min({ id: 'id' })
  return rows.map(({ id }) => Number(id))
}

/**
 * Records that a worker begins, in a transaction of the account's lease. Null if the export has ended, or it is not its turn. The
 * run counts as stalled until it saves progress.
 */
export async function beginExport(storage: Storage, db: Knex, exportId: number): Promise<ExportRow | null> {
  const row = await findExport(storage, { id: exportId }, db)
  if (!row || !UNFINISHED.includes(row.state)) return null
  const turn = await db(storage.table('exports'))
    .where({ account_id: row.accountId })
    .whereIn('state', UNFINISHED)
    .min({ id: 'id' })
    .first()
  if (Number(turn?.['id']) !== exportId) return null
  await db(storage.table('exports'))
    .where({ id: exportId })
    .update({ state: 'processing', stalled_runs: db.raw('stalled_runs + 1') })
  return row
}

/** Takes back that a run counts as stalled: it was not the fault of the export. */
export async function excuseRun(storage: Storage, db: Knex, exportId: number): Promise<void> {
  await db(storage.table('exports'))
    .where({ id: exportId })
    .where('stalled_runs', '>', 0)
    .update({ stalled_runs: db.raw('stalled_runs - 1') })
}

/** Adds chunks to the file of the type, together with the progress after them. @throws LeaseLost */
export async function saveChunks(
  storage: Storage,
  lease: Lease,
  { id, position, typeNumber }: ExportRow,
  chunks: readonly Buffer[],
  progress: ExportProgress,
): Promise<void> {
  await lease.inTransaction(async (db) => {
    for (const [index, chunk] of chunks.entries())
      await insertFileChunk(storage, db, chunksOfExport(id, typeNumber), position + index, chunk)
    await db(storage.table('exports')).where({ id }).update({
      type_number: progress.typeNumber,
      last_id: progress.lastId,
      line: progress.line,
      position: progress.position,
      stalled_runs: 0,
    })
  })
}

/** Ends the export. One that failed has no files. */
export async function saveExportEnd(
  storage: Storage,
  db: Knex,
  exportId: number,
  { at, message }: { readonly at: Date; readonly message: string | null },
): Promise<void> {
  const state: ExportState = message === null ? 'done' : 'error'
  await db(storage.table('exports'))
    .where({ id: exportId })
    .update({ state, message, finished_at: timestampOf(at) })
  if (message !== null) await db(storage.table('export_chunks')).where({ export_id: exportId }).delete()
}

/** Removes the exports that ended before a time, with their files. */
export async function purgeExports(storage: Storage, before: Date): Promise<void> {
  for (;;) {
    const old = storage.knex(storage.table('exports')).where('finished_at', '<', timestampOf(before))
    const ids = (await old.orderBy('finished_at').limit(PURGED_AT_ONCE).pluck('id')) as readonly number[]
    await storage.knex(storage.table('export_chunks')).whereIn('export_id', ids).delete()
    await storage.knex(storage.table('exports')).whereIn('id', ids).delete()
    if (ids.length < PURGED_AT_ONCE) return
  }
}

function exportOf(row: Record<string, string | number | null>): ExportRow {
  const moment = (column: string) => (row[column] === null ? null : dateOfTimestamp(String(row[column])))
  return {
    id: Number(row['id']),
    token: String(row['token']),
    accountId: String(row['account_id']),
    personId: Number(row['person_id']),
    language: String(row['language']),
    types: JSON.parse(String(row['types'])),
    recordTypes: row['record_types'] === null ? null : JSON.parse(String(row['record_types'])),
    since: moment('since'),
    nextFrom: moment('next_from'),
    state: row['state'] as ExportState,
    typeNumber: Number(row['type_number']),
    lastId: Number(row['last_id']),
    line: Number(row['line']),
    position: Number(row['position']),
    stalledRuns: Number(row['stalled_runs']),
    message: row['message'] === null ? null : String(row['message']),
    createdAt: dateOfTimestamp(String(row['created_at'])),
    finishedAt: moment('finished_at'),
  }
}
