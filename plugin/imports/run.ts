import type { Call } from '../core/call.js'
import { ItsmError } from '../core/errors.js'
import { isOutage } from '../storage/database/faults.js'
import { dbOf, inTransaction } from '../storage/database/transaction.js'
import { type Lease, LeaseLost, type Leases } from '../storage/queues/leases.js'
import { disableAbsent, readWholeList } from './absent.js'
import { CHUNK_ROWS, weightOfGroups } from './chunk-weights.js'
import { renamed } from './columns/header-mapping.js'
import type { FileRow } from './contract.js'
import { type EndDeps, saveEndOf, wakeAfterEnd } from './end.js'
import { inChunks } from './file/in-chunks.js'
import { firstPass, laterGroups, readable, rowsOf, secondPass } from './passes.js'
import { createPlan, type FilePlan, type PlanDeps } from './plan.js'
import { saveHeader } from './progress/failed-rows.js'
import { accountOfImport, findImport, type ImportRow } from './progress/import-rows.js'
import { beginImport, giveBackImport, importsInTurn, stopperOf } from './progress/import-work.js'
import { logLine } from './progress/log-lines.js'
import { NO_RESULTS } from './progress/results.js'
import { codeOfError, ImportStopped } from './progress/stopped.js'
import { rehearsed, rehearsedLater } from './rehearse.js'
import { type Held, note, type SaveGroupsDeps, saveGroups } from './save-groups.js'
import { newestLine } from './undo/audit-lines.js'
import { type RunUndoDeps, runUndo } from './undo/run-undo.js'
import { saveFirstLine } from './undo/undo-progress.js'
import { checkImporter, type SubmitDeps } from './upload.js'

/** Runs without progress after which an import ends: each of them may have blocked a whole process. */
const MAX_STALLED_RUNS = 5

/** Dependencies of working on imports. */
export interface RunDeps extends PlanDeps, SaveGroupsDeps, EndDeps, RunUndoDeps, Pick<SubmitDeps, 'wake'> {
  readonly operations: PlanDeps['operations'] & RunUndoDeps['operations']
  readonly queries: PlanDeps['queries'] & RunUndoDeps['queries']
  readonly permissions: PlanDeps['permissions'] & RunUndoDeps['permissions']
  readonly leases: Leases
  /**
   * Creates the call of the importing person, with origin `import`, for the account and in the language of the import.
   *
   * @throws ItsmError if the person may no longer act in the account; the import then ends with state error
   */
  callFor(row: ImportRow): Promise<Call>
  readonly words: EndDeps['words']
  /** Milliseconds without a sign of life after which another process takes an import over. */
  readonly takeOverAfterMs: number
  /** Imports that this process could not give back, because the database was away by then: their claims show no stall. */
  readonly cutOff: Set<number>
}

/**
 * Works on an import until it ends, unless it is not its turn or somebody else holds it. Chunks of rows are committed
 * together with the progress, so that a run after a crash goes on at the line after the last committed chunk and no row is
 * done twice. An import at which one worker after the other stops without progress ends with state error.
 *
 * @param signal stops the work after the current chunk; another run goes on with it
 * @returns whether the import came to its end
 * @throws what keeps the whole work from going on, such as any fault of the database that is not that of a row's values: the
 *   import stays unfinished, and another run begins at the line that it had reached
 */
export async function runImport(deps: RunDeps, importId: number, signal?: AbortSignal): Promise<boolean> {
  const { storage, leases, takeOverAfterMs: lastsMs } = deps
  const accountId = await accountOfImport(storage, importId)
  if (accountId === null) return false
  const place = { kind: 'import', name: accountId, lastsMs }
  const attempted = await leases.attempt(place, (lease) => runHolding(deps, lease, importId, signal))
  if (!attempted.held || !attempted.result) return false
  for (const next of await importsInTurn(storage, accountId)) deps.wake(next)
  return true
}

async function runHolding(deps: RunDeps, lease: Lease, importId: number, signal?: AbortSignal): Promise<boolean> {
  const { storage, clock, cutOff, log } = deps
  const giveBack = (stalled: boolean) => lease.inTransaction((db) => giveBackImport(storage, db, importId, { stalled }))
  try {
    const begin = { now: clock.now(), wasCutOff: cutOff.has(importId) }
    const row = await lease.inTransaction((db) => beginImport(storage, db, importId, begin))
    cutOff.delete(importId)
    if (!row) return false
    const { absentId, laterLine, line, results } = row
    const ended = await work(deps, { row, lease, absentId, line, laterLine, results }, signal)
    if (!ended) await giveBack(false)
    return ended
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.warn({ importId }, 'An import was taken over by another process')
      return false
    }
    // A database that is away or silent is not the fault of the import: the next run does not look for a row to blame.
    await giveBack(!isOutage(error)).catch((failure: unknown) => {
      if (isOutage(error) && isOutage(failure)) cutOff.add(importId)
    })
    throw error
  }
}

/** False when the signal has aborted. */
async function work(deps: RunDeps, held: Held, signal?: AbortSignal): Promise<boolean> {
  const { storage } = deps
  let stopped: ImportStopped | null = null
  try {
    const call = await callOf(deps, held.row)
    const { stalledRuns } = held.row
    if (stalledRuns >= MAX_STALLED_RUNS) {
      deps.log.error({ importId: held.row.id, line: held.line }, 'An import that stalls its workers was given up')
      throw new ImportStopped(held.line === 0 ? 'stalled_at_headers' : 'stalled', { times: stalledRuns, line: held.line })
    }
    const isInterrupted = async () => {
      if (signal?.aborted) return true
      await checkStopped(deps, held.row)
      return false
    }
    if (held.row.undoOf !== null) {
      const undone = await findImport(storage, { id: held.row.undoOf })
      if (!undone) throw new ImportStopped('undo_impossible')
      if (!(await runUndo(deps, held, call, undone, isInterrupted))) return false
      await end(deps, held, null)
      return true
    }
    const rows = rowsOf(storage, held.row.id)
    const plan = await begin(deps, held, call, await rows.next())
    const { dryRun, id } = held.row
    const first = dryRun ? rehearsed(deps, id, plan, firstPass(plan)) : firstPass(plan)
    const second = dryRun ? rehearsedLater(deps, id, plan, secondPass(plan)) : secondPass(plan)
    // After a stall, the rows that share a chunk with the culprit are saved one by one: the last line saved is the one before
    // it.
    const weightOf = weightOfGroups(stalledRuns > 0 ? CHUNK_ROWS : 0)
    const groups = readable(inChunks(plan.groups(call, rows, held.line), CHUNK_ROWS, weightOf), (error) => {
      stopped = error
    })
    for await (const chunk of groups) {
      if (await isInterrupted()) return false
      await saveGroups(deps, held, first, chunk)
    }
    for await (const chunk of inChunks(laterGroups(storage, held), CHUNK_ROWS, weightOf)) {
      if (await isInterrupted()) return false
      await saveGroups(deps, held, second, chunk)
    }
    // What a file lacks cannot be told if it was not read to its end, or not all of its rows were done.
    if (held.row.absentLimit !== null && stopped === null && held.results.errors === 0) {
      const list = await readWholeList(plan.columns, skipHeader(rowsOf(storage, id)))
      if (!(await disableAbsent(deps, held, call, plan.columns.type, list, isInterrupted))) return false
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error
    stopped = error
  }
  await end(deps, held, stopped)
  return true
}

async function* skipHeader(rows: AsyncGenerator<FileRow, void>): AsyncGenerator<FileRow, void> {
  await rows.next()
  yield* rows
}

/** @throws ImportStopped if a person wants the import to stop */
async function checkStopped({ nameOf, storage }: RunDeps, { id }: ImportRow): Promise<void> {
  const personId = await stopperOf(storage, id)
  if (personId !== null) throw new ImportStopped('stopped_by', { name: await nameOf(personId) })
}

async function callOf({ callFor }: RunDeps, row: ImportRow): Promise<Call> {
  try {
    const call = await callFor(row)
    checkImporter(call)
    return call
  } catch (error) {
    if (error instanceof ItsmError && error.status < 500) throw new ImportStopped(codeOfError(error))
    throw error
  }
}

/** Reads the header. On the first run, logs the start and the warnings about the header. */
async function begin(deps: RunDeps, held: Held, call: Call, first: IteratorResult<FileRow, void>): Promise<FilePlan> {
  const { storage, words } = deps
  const { row } = held
  if (first.done) throw new ImportStopped('empty_file')
  const { cells, hasSemicolons, line } = first.value
  const read = (inside: Call) => rowsOf(storage, row.id, dbOf(storage, inside))
  const plan = createPlan(deps, call, row, { ...first.value, cells: renamed(cells, row.mapping) }, read)
  if (held.line === 0) {
    const warnings = plan.unknownHeaders.map((column) =>
      logLine('warning', line, words.sentence(call.language, 'unknown_column', '', { column })),
    )
    const started = words.sentence(call.language, 'import_started', '', { type: row.type })
    const trial = row.dryRun ? [logLine('info', line, words.sentence(call.language, 'dry_run', ''))] : []
    const separator = hasSemicolons ? [logLine('info', line, words.sentence(call.language, 'semicolons', ''))] : []
    const past = row.history ? [logLine('info', line, words.sentence(call.language, 'import_history', ''))] : []
    const lines = [logLine('info', line, started), ...trial, ...past, ...separator, ...warnings]
    if (row.absentLimit !== null) await readWholeList(plan.columns, skipHeader(rowsOf(storage, row.id)))
    const progress = { line, laterLine: 0, absentId: 0, results: NO_RESULTS }
    await inTransaction(storage, call, async (call) => {
      const db = dbOf(storage, call)
      await saveHeader(storage, db, row.id, cells)
      await saveFirstLine(storage, db, row.id, await newestLine(deps.catalog, storage, db))
      await note(deps, held, call, { lines, failed: [] }, progress)
    })
    held.line = line
  }
  return plan
}

/** Ends the import. */
async function end(deps: RunDeps, held: Held, stopped: ImportStopped | null): Promise<void> {
  const { lease, line, results, row } = held
  const importer = await deps.nameOf(row.personId)
  await lease.inTransaction((db) => saveEndOf(deps, db, { ...row, line, results }, stopped, importer))
  wakeAfterEnd(deps)
}
