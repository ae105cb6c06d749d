/**
 * What workers write about imports. One import of an account is worked on at a time: the lease is that of the account.
 * `claimed_by` is set while a worker is busy with an import; a worker that finds it set knows that the previous one did not
 * release the import.
 */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { removeFileChunks } from '../../storage/queues/file-chunks.js'
import type { Lease } from '../../storage/queues/leases.js'
import { removeEarlierRows } from './earlier-rows.js'
import { fileChunksOfImport, type ImportRow, importOf, selectImports } from './import-rows.js'
import { removeLaterRows } from './later-rows.js'
import type { Results } from './results.js'

const UNFINISHED = ['queued', 'processing']
/** The value of `claimed_by`. */
const BUSY = 'a worker'

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

/** Number of imports that are being worked on, in all accounts. */
export async function countRunning(storage: Storage): Promise<number> {
  const rows = await storage.knex(storage.table('imports')).whereIn('state', UNFINISHED).select('state')
  return rows.filter(({ state }) => state === 'processing').length
}

/** True while an import of the account waits or is worked on. */
export async function hasUnfinished(storage: Storage, db: Knex, accountId: string): Promise<boolean> {
  const row = await db(storage.table('imports')).where({ account_id: accountId }).whereIn('state', UNFINISHED).first('id')
  return row !== undefined
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
  const row = await selectImports(storage, db).select('claimed_by').where({ id: importId }).first()
  if (!row) return null
  const turn = await db(storage.table('imports'))
    .where({ account_id: row['account_id'] })
    .whereIn('state', UNFINISHED)
    // What is being worked on comes first.
    .orderByRaw("case when state = 'processing' then 0 else 1 end, id")
    .first('id')
  if (Number(turn?.id) !== importId) return null
  const isStalled = row['claimed_by'] !== null && !wasCutOff
  const changed = await db(storage.table('imports'))
    .where({ id: importId })
    // It may have been stopped since it was read.
    .whereIn('state', UNFINISHED)
    .update({
      state: 'processing',
      claimed_by: BUSY,
      started_at: db.raw('coalesce(started_at, ?)', [timestampOf(now)]),
      ...(isStalled && { stalled_runs: db.raw('stalled_runs + 1') }),
    })
  if (changed === 0) return null
  const begun = await selectImports(storage, db).where({ id: importId }).first()
  return begun ? importOf(begun) : null
}

/** The person who wants the import to stop; null if nobody does. */
export async function stopperOf(storage: Storage, importId: number): Promise<number | null> {
  const row = await storage.knex(storage.table('imports')).where({ id: importId }).first('stopped_by')
  return row?.stopped_by === null || row === undefined ? null : Number(row.stopped_by)
}

/**
 * Records that a person wants the import to stop. The row is locked from then on: no worker can begin with it meanwhile.
 *
 * @returns `waiting` if no worker has had it, so that it can be ended at once; `ended` if it has come to its end
 */
export async function requestStop(
  storage: Storage,
  db: Knex,
  importId: number,
  personId: number,
): Promise<'waiting' | 'worked on' | 'stopped' | 'ended'> {
  const changed = await db(storage.table('imports'))
    .where({ id: importId, stopped_by: null })
    .whereIn('state', UNFINISHED)
    .update({ stopped_by: personId })
  const row = await db(storage.table('imports')).where({ id: importId }).first('state', 'stopped_by')
  if (changed === 0) return row?.stopped_by === null || row === undefined ? 'ended' : 'stopped'
  return row?.state === 'queued' ? 'waiting' : 'worked on'
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
  { absentId, line, laterLine, results }: Pick<ImportRow, 'absentId' | 'line' | 'laterLine' | 'results'>,
): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({ line, later_line: laterLine, absent_id: absentId, results: JSON.stringify(results), stalled_runs: 0 })
  await lease.fence(db)
}

/** Ends the import and deletes its file, in a transaction of the account's lease or, before any worker had it, in any other. */
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
  await removeEarlierRows(storage, db, importId)
}
