/** Commits groups of rows together with the progress of the import. */
import type { Call } from '../core/call.js'
import { type Clock, instantOf } from '../core/clock.js'
import { Invalid, ItsmError } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/database/connections.js'
import { isDeadlock, isOutage, isTimeout } from '../storage/database/faults.js'
import { dbOf, inTransaction } from '../storage/database/transaction.js'
import { type Lease, LeaseLost } from '../storage/queues/leases.js'
import type { FileRow, Plan, RowGroup, RowsReport } from './contract.js'
import { type ImportRow, saveProgress } from './progress/import-rows.js'
import { insertLogLines } from './progress/log-lines.js'
import { addResults, NO_RESULTS, type Results } from './progress/results.js'
import { codeOfError, ImportStopped } from './progress/stopped.js'

/** Dependencies of committing. */
export interface SaveGroupsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}

/** State of the import that a worker processes. */
export interface Held {
  readonly row: ImportRow
  /** The lease on the account, whose imports run one at a time. */
  readonly lease: Lease
  /** The last line that was committed. */
  line: number
  results: Results
}

/** Number of failed rows at which an import ends (behaviour: Import jobs). */
const MAX_FAILURES = 1000

/**
 * Thrown to roll back a chunk in which failures pass their limit. It is then saved in halves, so that the import ends at that
 * row.
 */
class ManyFailures extends Error {}

/**
 * Saves several groups at once. If that fails, saves them in halves, so that only the failing rows are counted.
 *
 * @throws LeaseLost, ImportStopped after too many failures, and what keeps the whole work from going on
 */
export async function saveGroups(deps: SaveGroupsDeps, held: Held, plan: Plan, groups: readonly RowGroup[]): Promise<void> {
  try {
    await commit(deps, held, plan, groups)
  } catch (error) {
    // Smaller steps may succeed if the chunk was too large or conflicted with other transactions.
    const isTooBig = groups.length > 1 && (isDeadlock(error) || isTimeout(error))
    if (error instanceof LeaseLost || (isOutage(error) && !isTooBig)) throw error
    // Nor is it done row by row against a worker that has taken over.
    if (isDeadlock(error)) await held.lease.check()
    if (groups.length > 1) {
      const isExpected = error instanceof ManyFailures || error instanceof ItsmError
      if (!isExpected) deps.log.debug({ err: error, importId: held.row.id }, 'A chunk of rows is repeated in halves')
      const middle = Math.ceil(groups.length / 2)
      await saveGroups(deps, held, plan, groups.slice(0, middle))
      return saveGroups(deps, held, plan, groups.slice(middle))
    }
    const rows = groups.flatMap((group) => group.rows)
    await commitReport(deps, held, plan.call, lineOf(groups, held), reportOf(deps, held, plan, rows, error))
  }
  if (failed(held.results) >= MAX_FAILURES) throw new ImportStopped('too_many_failures')
  // An embedded database never yields: other calls must get their turn between two transactions.
  await new Promise((resolve) => setImmediate(resolve))
}

/** Saves progress and log lines in the transaction of the call. @throws LeaseLost */
export async function note(
  deps: SaveGroupsDeps,
  { row, lease }: Held,
  call: Call,
  line: number,
  lines: RowsReport['lines'],
  results: Results,
): Promise<void> {
  const { storage, clock } = deps
  const db = dbOf(storage, call)
  const now = clock.now()
  await insertLogLines(storage, db, row.id, now, lines)
  await saveProgress(storage, db, row.id, lease, { line, results })
}

async function commit(deps: SaveGroupsDeps, held: Held, plan: Plan, groups: readonly RowGroup[]): Promise<void> {
  const { storage, clock } = deps
  const line = lineOf(groups, held)
  const call = { ...plan.call, now: instantOf(clock.now()) }
  const results = await inTransaction(storage, call, async (call) => {
    const report = await plan.save(call, groups)
    const results = addResults(held.results, report.results)
    if (groups.length > 1 && failed(results) >= MAX_FAILURES) throw new ManyFailures()
    await note(deps, held, call, line, report.lines, results)
    return results
  })
  held.line = line
  held.results = results
}

async function commitReport(deps: SaveGroupsDeps, held: Held, call: Call, line: number, report: RowsReport): Promise<void> {
  const results = addResults(held.results, report.results)
  await inTransaction(deps.storage, call, (call) => note(deps, held, call, line, report.lines, results))
  held.line = line
  held.results = results
}

/** Reports rows whose own transaction failed: refusals count as failures, everything else as errors. */
function reportOf(deps: SaveGroupsDeps, held: Held, plan: Plan, rows: readonly FileRow[], error: unknown): RowsReport {
  if (error instanceof ItsmError && error.status < 500) {
    const reason = error instanceof Invalid ? error.violations : codeOfError(error)
    const lines = rows.map((row) => plan.refuse(row, reason))
    return { results: { ...NO_RESULTS, failures: rows.length }, lines }
  }
  // The text of an unexpected error belongs in the log of the host, not in the log of the import.
  deps.log.error({ err: error, importId: held.row.id, line: rows[0]?.line }, 'A row of an import caused an unexpected error')
  const lines = rows.map((row) => plan.refuse(row, 'unexpected_error'))
  return { results: { ...NO_RESULTS, errors: rows.length }, lines }
}

function lineOf(groups: readonly RowGroup[], held: Held): number {
  return groups.at(-1)?.rows.at(-1)?.line ?? held.line
}

function failed({ failures, errors }: Results): number {
  return failures + errors
}
