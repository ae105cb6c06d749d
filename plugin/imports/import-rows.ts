/** Rows of imports: their state, progress and worker. Timestamps are texts in UTC. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/connections.js'
import { inOwnTransaction } from '../storage/own-transaction.js'
import { type PiecePlace, removePieces } from '../storage/pieces.js'
import { dateOfTimestamp, timestampOf } from '../storage/timestamps.js'
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
  readonly results: Results
  /** How often in a row the work stopped (a worker that died, or was blocked) without having saved another line. */
  readonly stalledRuns: number
  readonly message: string | null
  /** `20261121/acme/17.people.log`, below /imports. */
  readonly logName: string
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** Thrown when another process has taken the import over: whatever was being done must not be committed. */
export class LeaseLost extends Error {
  constructor(importId: number) {
    super(`Import ${importId} is worked on by another process`)
    this.name = 'LeaseLost'
  }
}

const UNFINISHED = ['queued', 'processing']
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
export function piecesOfImport(importId: number): PiecePlace {
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

/**
 * Takes the import for one worker, when it is unfinished, nobody else holds it, and it is the account's turn for it.
 * The account's row is locked meanwhile, so that two workers never take two imports of one account. A worker that did not
 * give the import back has stalled: that is counted here, before the work begins, because the next one may stall as well.
 */
export function claimImport(
  storage: Storage,
  importId: number,
  lease: { readonly holder: string; readonly now: Date; readonly until: Date },
): Promise<ImportRow | null> {
  return inOwnTransaction(storage, async (db) => {
    const imports = storage.table('imports')
    const found = await db(imports).where({ id: importId }).first('account_id')
    if (!found) return null
    await db(storage.table('accounts')).where({ id: found.account_id }).forUpdate().first('id')
    const unfinished = await db(imports)
      .where({ account_id: found.account_id })
      .whereIn('state', UNFINISHED)
      .orderBy('id')
      .select('id', 'state', 'claimed_by', momentColumn(db, 'claimed_until'))
    const turn = unfinished.find((row) => row.state === 'processing') ?? unfinished[0]
    if (!turn || Number(turn.id) !== importId) return null
    if (turn.claimed_by !== null && dateOfTimestamp(turn.claimed_until) > lease.now) return null
    await db(imports)
      .where({ id: importId })
      .update({
        state: 'processing',
        claimed_by: lease.holder,
        claimed_until: timestampOf(lease.until),
        started_at: db.raw('coalesce(started_at, ?)', [timestampOf(lease.now)]),
        ...(turn.claimed_by !== null && { stalled_runs: db.raw('stalled_runs + 1') }),
      })
    const row = await select(storage, db).where({ id: importId }).first()
    return row ? importOf(row) : null
  })
}

/** Prolongs a lease; does nothing when it is lost. */
export async function renewLease(storage: Storage, importId: number, holder: string, until: Date): Promise<void> {
  await storage
    .knex(storage.table('imports'))
    .where({ id: importId, claimed_by: holder })
    .update({ claimed_until: timestampOf(until) })
}

/** Gives the import back, so that any worker can continue it. */
export async function releaseLease(
  storage: Storage,
  importId: number,
  holder: string,
  { stalled }: { readonly stalled: boolean },
): Promise<void> {
  const { knex } = storage
  await knex(storage.table('imports'))
    .where({ id: importId, claimed_by: holder })
    .update({ claimed_by: null, claimed_until: null, ...(stalled && { stalled_runs: knex.raw('stalled_runs + 1') }) })
}

/** Stores the progress, which also shows that the work does not stall. @throws LeaseLost if another worker holds the import */
export async function saveProgress(
  storage: Storage,
  db: Knex,
  importId: number,
  holder: string,
  progress: { readonly line: number; readonly results: Results; readonly until: Date },
): Promise<void> {
  await hold(storage, db, importId, holder)
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({
      line: progress.line,
      results: JSON.stringify(progress.results),
      stalled_runs: 0,
      claimed_until: timestampOf(progress.until),
    })
}

/** Ends the import and deletes its file. @throws LeaseLost */
export async function saveEnd(
  storage: Storage,
  db: Knex,
  importId: number,
  holder: string,
  end: { readonly state: 'done' | 'error'; readonly message: string | null; readonly results: Results; readonly at: Date },
): Promise<void> {
  await hold(storage, db, importId, holder)
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({
      state: end.state,
      message: end.message,
      results: JSON.stringify(end.results),
      finished_at: timestampOf(end.at),
      claimed_by: null,
      claimed_until: null,
    })
  await removePieces(storage, db, piecesOfImport(importId))
}

async function hold(storage: Storage, db: Knex, importId: number, holder: string): Promise<void> {
  const row = await db(storage.table('imports')).where({ id: importId }).forUpdate().first('claimed_by')
  if (row?.claimed_by !== holder) throw new LeaseLost(importId)
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
    results: parseResults(row['results']),
    stalledRuns: Number(row['stalled_runs']),
    message: row['message'] === null ? null : String(row['message']),
    logName: String(row['log_name']),
    createdAt: dateOfTimestamp(String(row['created_at'])),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  }
}
