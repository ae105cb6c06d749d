import type { Call } from '../core/call.js'
import { type Clock, instantOf } from '../core/clock.js'
import { ItsmError } from '../core/errors.js'
import type { Log } from '../core/log.js'
import { BYTE_ORDER_MARK, csvLine } from '../core/text/csv.js'
import type { Catalog } from '../schema/catalog.js'
import { importKinds } from '../schema/derive/import-kinds.js'
import type { Storage } from '../storage/database/connections.js'
import { isOutage } from '../storage/database/faults.js'
import { FILE_CHUNK_BYTES } from '../storage/queues/file-chunks.js'
import { type Lease, LeaseLost, type Leases } from '../storage/queues/leases.js'
import { changedSince } from './changed-since.js'
import { beginExport, type ExportRow, excuseRun, exportsInTurn, findExport, saveChunks, saveExportEnd } from './export-rows.js'
import { type ExportPlan, exportPlan } from './plan.js'
import { type ReadRowsDeps, readRows } from './read-rows.js'

/** Dependencies of writing exports. */
export interface RunExportDeps extends ReadRowsDeps {
  readonly storage: Storage
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
  /** Creates the call of the exporting person. @throws ItsmError if the person may no longer act in the account */
  callFor(row: ExportRow): Promise<Call>
  /** Requests `run(exportId)` soon, in this or another process. The request may be lost or arrive twice. */
  wake(exportId: number): void
  /** Milliseconds without a sign of life after which another process takes an export over. */
  readonly takeOverAfterMs: number
}

/** Runs without progress after which an export ends: each of them may have blocked a whole process. */
const MAX_STALLED_RUNS = 5
const UNEXPECTED = 'An unexpected error occurred'

/** Ends an export with state error. */
class ExportStopped extends Error {}

/**
 * Writes the files of an export until its end, unless it is not its turn or somebody else holds it. Pages of rows are committed
 * together with the progress, so that a run after a crash goes on after the last committed page.
 *
 * @param signal stops the work after the current page; another run goes on with it
 * @returns whether the export came to its end
 * @throws any fault of the database: the export stays unfinished
 */
export async function runExport(deps: RunExportDeps, exportId: number, signal?: AbortSignal): Promise<boolean> {
  const { leases, storage, takeOverAfterMs: lastsMs } = deps
  const row = await findExport(storage, { id: exportId })
  if (!row) return false
  const attempted = await leases.attempt({ kind: 'export', name: row.accountId, lastsMs }, (lease) =>
    runHolding(deps, lease, exportId, signal),
  )
  if (!attempted.held || !attempted.result) return false
  for (const next of await exportsInTurn(storage, row.accountId)) deps.wake(next)
  return true
}

/** @returns whether the export came to its end */
async function runHolding(deps: RunExportDeps, lease: Lease, exportId: number, signal?: AbortSignal): Promise<boolean> {
  const { clock, log, storage } = deps
  const end = async (message: string | null) => {
    await lease.inTransaction((db) => saveExportEnd(storage, db, exportId, { at: clock.now(), message }))
    return true
  }
  try {
    const row = await lease.inTransaction((db) => beginExport(storage, db, exportId))
    if (!row) return false
    if (row.stalledRuns >= MAX_STALLED_RUNS) {
      log.error({ exportId }, 'An export that stalls its workers was given up')
      return end(`Processing stopped ${row.stalledRuns} times without progress`)
    }
    const isDone = await writeFiles(deps, lease, row, signal)
    if (!isDone) await lease.inTransaction((db) => excuseRun(storage, db, exportId))
    return isDone ? end(null) : false
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.warn({ exportId }, 'An export was taken over by another process')
      return false
    }
    if (isOutage(error)) {
      await lease.inTransaction((db) => excuseRun(storage, db, exportId)).catch(() => undefined)
      throw error
    }
    if (error instanceof ExportStopped || (error instanceof ItsmError && error.status < 500)) return end(error.message)
    log.error({ err: error, exportId }, 'An export caused an unexpected error')
    return end(UNEXPECTED)
  }
}

/** @returns false if the signal has aborted */
async function writeFiles(deps: RunExportDeps, lease: Lease, begun: ExportRow, signal?: AbortSignal): Promise<boolean> {
  const call = await deps.callFor(begun)
  const plans = begun.types.map((name) => planNamed(deps.catalog, name))
  let row = begun
  for (let plan = plans[row.typeNumber]; plan; plan = plans[row.typeNumber]) {
    if (signal?.aborted) return false
    const now = instantOf(deps.clock.now())
    const { lastId, rows } = await readRows(
      deps,
      { ...call, now },
      plan,
      row.lastId,
      changedSince(deps.catalog, plan.type, row.since),
    )
    const head = row.position === 0 ? `${BYTE_ORDER_MARK}${csvLine(plan.columns.map(({ header }) => header))}` : ''
    const chunks = chunksOf(`${head}${rows.map(csvLine).join('')}`)
    const written = { line: row.line + rows.length, position: row.position + chunks.length }
    const progress =
      lastId === null
        ? { ...written, typeNumber: row.typeNumber + 1, lastId: 0, position: 0 }
        : { ...written, typeNumber: row.typeNumber, lastId }
    await saveChunks(deps.storage, lease, row, chunks, progress)
    row = { ...row, ...progress }
    // An embedded database never yields: other calls must get their turn between two transactions.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return true
}

function planNamed(catalog: Catalog, name: string): ExportPlan {
  const kind = importKinds(catalog).find(({ type }) => type === name)
  if (!kind) throw new ExportStopped(`There is no export of ${name}`)
  return exportPlan(catalog, kind)
}

/** The text in chunks that fit into a packet of the database. */
function chunksOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / FILE_CHUNK_BYTES)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * FILE_CHUNK_BYTES, (index + 1) * FILE_CHUNK_BYTES))
}
