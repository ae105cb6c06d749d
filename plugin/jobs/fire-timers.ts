/** Saves what timers set for records that are due: as the plugin itself, through the one pipeline, in the account of each. */
import { setMaxListeners } from 'node:events'
import type { Callers } from '../access/people/callers.js'
import type { Call } from '../core/call.js'
import type { Instant } from '../core/clock.js'
import { NotFound, type Violation } from '../core/errors.js'
import type { Operations, SaveOutcome } from '../operations/contract.js'
import { saveEach } from '../operations/work/save-each.js'
import { isDue } from '../schema/derive/waiting.js'
import type { Row } from '../schema/language/define-rule.js'
import type { Storage } from '../storage/database/connections.js'
import { isConnectionFault } from '../storage/database/faults.js'
import { inTransaction } from '../storage/database/transaction.js'
import type { Queries } from '../storage/records/query.js'
import { type DueRecord, stillDue, type TypeTimer, versionOf } from './due-records.js'

export interface FiringDeps {
  readonly storage: Storage
  readonly queries: Pick<Queries, 'rows' | 'run'>
  readonly operations: Pick<Operations, 'saveAll'>
  readonly callers: Pick<Callers, 'pluginCall'>
  /** Milliseconds that saving some records together may take; default 30,000. */
  readonly withinMs?: number
}

/** Default of `withinMs`. A hook of the host that never ends would otherwise hold the lease, and its locks, forever. */
const SAVED_WITHIN = 30_000

/** A record that is still due after its timer has fired. */
export interface Unfired {
  readonly id: number
  /** The version in which it is still due. */
  readonly version: string
  /** The reason, for the log; null when the record is treated as deleted. */
  readonly reason: { readonly err: unknown } | { readonly violations: readonly Violation[] } | null
}

/** Results for some due records. Those that have changed since they were read are in neither list. */
export interface Fired {
  readonly saved: number
  readonly unfired: readonly Unfired[]
}

/**
 * Fires a timer for records of any accounts, with one transaction per account. If one cannot be saved, the others still are.
 *
 * @throws what the database throws when it cannot be reached
 */
export async function fireTimer(deps: FiringDeps, one: TypeTimer, due: readonly DueRecord[]): Promise<Fired> {
  const accounts = new Map<string, DueRecord[]>()
  for (const record of due) accounts.set(record.accountId, [...(accounts.get(record.accountId) ?? []), record])
  const fired: Fired[] = []
  for (const [accountId, records] of accounts) {
    const call = await callFor(deps, one, accountId)
    if ('err' in call) fired.push({ saved: 0, unfired: records.map((record) => ({ ...record, reason: call })) })
    else fired.push(await fireSafely(deps, one, call, records))
  }
  return together(fired)
}

/** The call of the plugin in an account, or the error if the account cannot be used. */
async function callFor(
  deps: FiringDeps,
  { type, timer }: TypeTimer,
  accountId: string,
): Promise<Call | { readonly err: unknown }> {
  try {
    return await deps.callers.pluginCall(`timer ${timer.due} of ${type.name}`, accountId)
  } catch (err) {
    if (isConnectionFault(err)) throw err
    return { err }
  }
}

/** Saves the records together. If an error of one of them undoes all, saves each half by itself, down to single records. */
async function fireSafely(deps: FiringDeps, one: TypeTimer, call: Call, records: readonly DueRecord[]): Promise<Fired> {
  try {
    return await fire(deps, one, call, records)
  } catch (error) {
    // A hook of the host may have failed to reach something other than our database.
    if (isConnectionFault(error)) await deps.queries.run({}, 'SELECT 1', [])
    const [only] = records
    if (records.length === 1 && only) return { saved: 0, unfired: [{ ...only, reason: { err: error } }] }
    const middle = Math.ceil(records.length / 2)
    const first = await fireSafely(deps, one, call, records.slice(0, middle))
    return together([first, await fireSafely(deps, one, call, records.slice(middle))])
  }
}

async function fire(deps: FiringDeps, one: TypeTimer, call: Call, records: readonly DueRecord[]): Promise<Fired> {
  const { withinMs = SAVED_WITHIN } = deps
  const end = new AbortController()
  // Each of the statements that run at the same time may listen.
  setMaxListeners(0, end.signal)
  const timer = setTimeout(() => end.abort(new Error(`Saving did not end within ${withinMs} ms`)), withinMs)
  try {
    return await save(deps, one, { ...call, signal: end.signal }, records)
  } finally {
    clearTimeout(timer)
  }
}

function save(deps: FiringDeps, one: TypeTimer, call: Call, records: readonly DueRecord[]): Promise<Fired> {
  const { type, timer } = one
  const ids = records.map(({ id }) => id)
  return inTransaction(deps.storage, call, async (inside) => {
    // Another process or a caller may have changed them since they were read. From here on they are locked.
    // Those that another transaction has locked stay due: waiting for one of them would keep all others waiting.
    const rows = await deps.queries.rows(
      inside,
      { type, where: stillDue(one, ids, call.now) },
      { lock: true, skipLocked: true },
    )
    const itemOf = (row: Row) => ({ id: Number(row['id']), body: timer.body })
    const done = await saveEach(deps.operations, inside, type.name, rows, itemOf)
    const unfired = done.flatMap(({ saved, work }) => unfiredBy(one, work, saved, call.now) ?? [])
    return { saved: rows.length - unfired.length, unfired }
  })
}

/** Reason why a record is still due; null when it is not. */
function unfiredBy({ type, timer }: TypeTimer, before: Row, outcome: SaveOutcome, now: Instant): Unfired | null {
  const id = Number(before['id'])
  const versionIn = (row: Row) => versionOf(row[timer.column], row['updated_at'])
  if (outcome.outcome === 'refused') return { id, version: versionIn(before), reason: { violations: outcome.violations } }
  if (outcome.outcome === 'denied') {
    return { id, version: versionIn(before), reason: outcome.error instanceof NotFound ? null : { err: outcome.error } }
  }
  const { row } = outcome
  // With another moment of the past it would be fired again and again.
  return isDue(type, timer, row, now) ? { id, version: versionIn(row), reason: { err: new Error(UNDONE) } } : null
}

const UNDONE = 'A rule or a hook has undone what the timer has set: the record is still due'

function together(fired: readonly Fired[]): Fired {
  return { saved: fired.reduce((sum, { saved }) => sum + saved, 0), unfired: fired.flatMap(({ unfired }) => unfired) }
}
