/** Undoes an import, in chunks that are committed together with the progress (behaviour: Undo of imports). */
import { type Call, followingCall } from '../../core/call.js'
import { type Clock, instantOf } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { dbOf, inTransaction } from '../../storage/database/transaction.js'
import type { Lease } from '../../storage/queues/leases.js'
import { countUnaudited } from '../../storage/queues/unaudited-rows.js'
import { insertFailedRows, saveHeader } from '../progress/failed-rows.js'
import { type ImportRow, saveLines } from '../progress/import-rows.js'
import { type ChunkWork, inHalves } from '../progress/in-halves.js'
import { insertLogLines, logLine } from '../progress/log-lines.js'
import { addResults, NO_RESULTS } from '../progress/results.js'
import { ImportStopped } from '../progress/stopped.js'
import { countOwnLines, newestLine } from './audit-lines.js'
import type { LeftRecord, LineRange, UndoDeps, Undone, UndoReport, UndoStep, Unit } from './contract.js'
import { LEFT_HEADERS, tellLeft } from './left-records.js'
import { undoChanges } from './undo-changes.js'
import { undoCreations } from './undo-creations.js'
import { causeOf, readUndoneRanges, saveFirstLine, saveUndoProgress, type UndoProgress } from './undo-progress.js'
import { undoSettled } from './undo-settled.js'
import { undoUnaudited } from './undo-unaudited.js'

/** Dependencies of running an undo. */
export interface RunUndoDeps extends UndoDeps {
  readonly clock: Clock
  readonly log: Log
}

/** State of the undo that a worker processes. */
export interface HeldUndo extends Pick<UndoProgress, 'line' | 'results'> {
  readonly row: ImportRow
  readonly lease: Lease
  line: number
  results: UndoProgress['results']
}

/** What a chunk of an undo consists of at most. */
const CHUNK = 200

/**
 * Undoes the import from where an earlier run has ended.
 *
 * @param undone the import; its lines are known
 * @param isStopped asked before each chunk
 * @returns false if `isStopped` has ended the work before its end
 */
export async function runUndo(
  deps: RunUndoDeps,
  held: HeldUndo,
  call: Call,
  undone: ImportRow,
  isStopped: () => Promise<boolean>,
): Promise<boolean> {
  const { linesAfter, linesUntil, personId } = undone
  if (linesAfter === null || linesUntil === null) throw new ImportStopped('undo_impossible')
  const own = { after: linesAfter, until: linesUntil, personId, cause: causeOf(undone) }
  if (held.line === 0) await begin(deps, held, call, undone, own)
  const about: Undone = { importId: undone.id, own, undone: await readUndoneRanges(deps.storage, undone.accountId), call }
  const asUndo = (inside: Call) => followingCall(inside, causeOf(held.row))
  const steps: readonly UndoStep[] = [
    undoUnaudited(deps, about, asUndo),
    undoChanges(deps, about, asUndo),
    undoCreations(deps, about, asUndo, false),
    undoCreations(deps, about, asUndo, true),
    undoSettled(deps, about, asUndo),
  ]
  const { undoBelow, undoStep } = held.row
  for (const [index, step] of steps.entries()) {
    if (index < undoStep) continue
    let below = index === undoStep ? undoBelow : null
    for (;;) {
      const units = await step.read(below, CHUNK)
      if (units.length === 0) break
      if (await isStopped()) return false
      await undoAll(deps, held, call, step, index, units)
      below = units.at(-1)?.id ?? below
    }
  }
  return true
}

/** Logs the start, and notes how much there is to do, and which audit lines are older. */
async function begin(deps: RunUndoDeps, held: HeldUndo, call: Call, { id, type }: ImportRow, own: LineRange): Promise<void> {
  const { catalog, clock, storage, words } = deps
  const { results, undoBelow, undoStep } = held.row
  const text = words.sentence(call.language, 'undo_started', '', { id, type })
  const changes = (await countOwnLines(storage, catalog, call, own)) + (await countUnaudited(storage, id))
  const [importId, line] = [held.row.id, 1]
  await inTransaction(storage, call, async (inside) => {
    const db = dbOf(storage, inside)
    await saveFirstLine(storage, db, importId, await newestLine(catalog, storage, db))
    await saveLines(storage, db, importId, line + changes)
    await saveHeader(storage, db, importId, LEFT_HEADERS)
    await insertLogLines(storage, db, importId, clock.now(), [logLine('info', line, text)])
    await saveUndoProgress(storage, db, importId, held.lease, { line, results, undoBelow, undoStep })
  })
  held.line = line
}

/** Undoes units together; if that fails, in halves, so that only the failing one is counted as an error. */
async function undoAll(
  deps: RunUndoDeps,
  held: HeldUndo,
  call: Call,
  step: UndoStep,
  index: number,
  units: readonly Unit[],
): Promise<void> {
  const work: ChunkWork<Unit> = {
    lease: held.lease,
    commit: (some) => commit(deps, held, call, index, some, (inside) => step.undo(inside, some)),
    async commitFailed(unit, error) {
      deps.log.error(
        { err: error, importId: held.row.id, step: index, unit: unit.id },
        'An undo has caused an unexpected error',
      )
      const left = step.isRepeat ? [] : failedRecord(deps, call, unit)
      const results = { ...NO_RESULTS, errors: step.isRepeat ? 0 : 1 }
      await commit(deps, held, call, index, [unit], async () => ({ results, left }), true)
    },
  }
  await inHalves(work, units)
}

async function commit(
  deps: RunUndoDeps,
  held: HeldUndo,
  call: Call,
  undoStep: number,
  units: readonly Unit[],
  undo: (inside: Call) => Promise<UndoReport>,
  isError = false,
): Promise<void> {
  const { clock, storage } = deps
  const { lease, row } = held
  const progress = await inTransaction(storage, { ...call, now: instantOf(clock.now()) }, async (inside) => {
    const { left: all, results: counted } = await undo(inside)
    // Once each: there are no more lines than units, and two would have the same one.
    const left = onePerRecord(all)
    const results = isError ? counted : { ...counted, failures: left.length }
    const db = dbOf(storage, inside)
    const { failed, lines } = await tellLeft(deps, inside, left, held.line)
    await insertLogLines(storage, db, row.id, clock.now(), lines)
    await insertFailedRows(storage, db, row.id, failed)
    const progress: UndoProgress = {
      line: held.line + units.length,
      results: addResults(held.results, results),
      undoStep,
      undoBelow: units.at(-1)?.id ?? null,
    }
    await saveUndoProgress(storage, db, row.id, lease, progress)
    return progress
  })
  held.line = progress.line
  held.results = progress.results
}

/** The record of a unit that has caused an unexpected error. */
function failedRecord({ catalog, words }: RunUndoDeps, { language }: Call, unit: Unit): readonly LeftRecord[] {
  const type = catalog.types.get(unit.type)
  const text = words.sentence(language, 'unexpected_error', '')
  return type ? [{ type, recordId: unit.recordId, row: null, reason: { code: 'undo_refused', text } }] : []
}

function onePerRecord(left: readonly LeftRecord[]): readonly LeftRecord[] {
  return [...new Map(left.map((one) => [`${one.type.name} ${one.recordId}`, one])).values()]
}
