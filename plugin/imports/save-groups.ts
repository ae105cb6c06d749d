/** Commits groups of rows together with the progress of the import. */
import type { Call } from '../core/call.js'
import { type Clock, instantOf } from '../core/clock.js'
import { Invalid, ItsmError } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/database/connections.js'
import { dbOf, inTransaction } from '../storage/database/transaction.js'
import type { Lease } from '../storage/queues/leases.js'
import type { Plan, RowGroup, RowsReport } from './contract.js'
import { insertFailedRows } from './progress/failed-rows.js'
import type { ImportRow } from './progress/import-rows.js'
import { saveProgress } from './progress/import-work.js'
import { type ChunkWork, inHalves } from './progress/in-halves.js'
import { insertLaterRows } from './progress/later-rows.js'
import { insertLogLines } from './progress/log-lines.js'
import { addResults, type Results } from './progress/results.js'
import { codeOfError, ImportStopped } from './progress/stopped.js'

/** Dependencies of committing. */
export interface SaveGroupsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}

/** How far an import has come. */
interface Progress {
  /** The last line that was committed. */
  line: number
  /** The last line that was committed in the second pass. */
  laterLine: number
  /** The last record that was looked at because the file does not have it; 0 before. */
  absentId: number
  results: Results
}

/** State of the import that a worker processes. */
export interface Held extends Progress {
  readonly row: ImportRow
  /** The lease on the account, whose imports run one at a time. */
  readonly lease: Lease
}

/** A way through the rows of a file, in chunks. */
export interface Pass<Group extends RowGroup> extends Pick<Plan, 'call' | 'refuse'> {
  /** What tells how far it has come. */
  readonly place: 'line' | 'laterLine'
  save(call: Call, groups: readonly Group[]): Promise<RowsReport>
  /** Results for rows that cannot be saved, `counter` times their number. */
  failed(group: Group, counter: 'failures' | 'errors'): Results
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
export async function saveGroups<Group extends RowGroup>(
  deps: SaveGroupsDeps,
  held: Held,
  pass: Pass<Group>,
  groups: readonly Group[],
): Promise<void> {
  const work: ChunkWork<Group> = {
    lease: held.lease,
    commit: (some) => commit(deps, held, pass, some),
    repeated(error) {
      const isExpected = error instanceof ManyFailures || error instanceof ItsmError
      if (!isExpected) deps.log.debug({ err: error, importId: held.row.id }, 'A chunk of rows is repeated in halves')
    },
    commitFailed: (group, error) => commitFailed(deps, held, pass, group, error),
    committed() {
      if (failed(held.results) >= MAX_FAILURES) throw new ImportStopped('too_many_failures')
    },
  }
  await inHalves(work, groups)
}

/** Saves progress, log lines, failed rows and rows of the second pass in the transaction of the call. @throws LeaseLost */
export async function note(
  deps: SaveGroupsDeps,
  { row, lease }: Held,
  call: Call,
  { failed, later = [], lines }: Omit<RowsReport, 'results'>,
  progress: Progress,
): Promise<void> {
  const { storage, clock } = deps
  const db = dbOf(storage, call)
  await insertLogLines(storage, db, row.id, clock.now(), lines)
  await insertFailedRows(storage, db, row.id, failed)
  await insertLaterRows(storage, db, row.id, later)
  await saveProgress(storage, db, row.id, lease, progress)
}

async function commit<Group extends RowGroup>(deps: SaveGroupsDeps, held: Held, pass: Pass<Group>, groups: readonly Group[]) {
  const { storage, clock } = deps
  const call = { ...pass.call, now: instantOf(clock.now()) }
  const progress = await inTransaction(storage, call, async (call) => {
    const report = await pass.save(call, groups)
    const progress = progressAfter(held, pass, groups, report.results)
    if (groups.length > 1 && failed(progress.results) >= MAX_FAILURES) throw new ManyFailures()
    await note(deps, held, call, report, progress)
    return progress
  })
  Object.assign(held, progress)
}

/** Reports a group whose own transaction failed: refusals count as failures, everything else as errors. */
async function commitFailed<Group extends RowGroup>(
  deps: SaveGroupsDeps,
  held: Held,
  pass: Pass<Group>,
  group: Group,
  error: unknown,
) {
  const isRefused = error instanceof ItsmError && error.status < 500
  if (!isRefused) {
    const { line } = group.rows[0] ?? {}
    // The text of an unexpected error belongs in the log of the host, not in the log of the import.
    deps.log.error({ err: error, importId: held.row.id, line }, 'A row of an import caused an unexpected error')
  }
  const reason = isRefused ? (error instanceof Invalid ? error.violations : codeOfError(error)) : 'unexpected_error'
  const refused = group.rows.map((row) => pass.refuse(row, reason))
  const report = { lines: refused.map(({ line }) => line), failed: refused.map(({ failed }) => failed) }
  const progress = progressAfter(held, pass, [group], pass.failed(group, isRefused ? 'failures' : 'errors'))
  await inTransaction(deps.storage, pass.call, (call) => note(deps, held, call, report, progress))
  Object.assign(held, progress)
}

function progressAfter<Group extends RowGroup>(
  held: Held,
  { place }: Pass<Group>,
  groups: readonly Group[],
  results: Results,
): Progress {
  const { absentId, line, laterLine } = held
  const reached = groups.at(-1)?.rows.at(-1)?.line ?? held[place]
  return { absentId, line, laterLine, [place]: reached, results: addResults(held.results, results) }
}

function failed({ failures, errors }: Results): number {
  return failures + errors
}
