import { randomUUID } from 'node:crypto'
import { type Call, hasRole } from '../core/call.js'
import { momentOf } from '../core/clock.js'
import { Forbidden, Invalid, ItsmError } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import { isDeadlock, isOutage, isTimeout } from '../storage/faults.js'
import { inOwnTransaction } from '../storage/own-transaction.js'
import { readPieces } from '../storage/pieces.js'
import { dbOf, inTransaction } from '../storage/transaction.js'
import {
  claimImport,
  type ImportRow,
  importsInTurn,
  LeaseLost,
  piecesOfImport,
  releaseLease,
  renewLease,
  saveEnd,
  saveProgress,
} from './bookkeeping.js'
import { type ChunkReport, saveRows } from './chunk.js'
import { decode } from './decode.js'
import { insertLogLines, logLine } from './log-lines.js'
import { type Columns, matchHeaders } from './match.js'
import { type FileRow, parseRows } from './parse.js'
import type { ImportParts } from './parts.js'
import { refusalLine, refusalOf } from './refusals.js'
import { mailParams, signedAddress } from './report.js'
import { addResults, NO_RESULTS, type Results, textOfResults } from './results.js'
import { ImportStopped } from './stopped.js'

/** Rows that share their queries and their transaction. */
const CHUNK_ROWS = 500
/** Failed rows at which an import ends (gaps 4.1). */
const MOST_FAILURES = 1000
const TOO_MANY_FAILURES = 'Too many import failures'
/** Runs without progress after which an import is given up: each may have blocked a whole process. */
const MAX_STALLED_RUNS = 5
/** An import whose worker says nothing is taken over after this many milliseconds, unless the parts say otherwise. */
const LEASE = 60_000

/** Thrown to undo a chunk in which the failures pass their limit: row by row, the import stops at the right one. */
class ManyFailures extends Error {}

/** What one worker knows of the import that it holds. */
interface Held {
  readonly row: ImportRow
  readonly holder: string
  /** As committed. */
  line: number
  results: Results
}

/** Everything that rows are saved with. */
interface Plan {
  readonly call: Call
  readonly type: RecordType
  readonly columns: Columns
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
export async function runImport(parts: ImportParts, importId: number, signal?: AbortSignal): Promise<boolean> {
  const { storage, clock, log } = parts
  const holder = randomUUID()
  const now = clock.now()
  const row = await claimImport(storage, importId, { holder, now, until: untilFrom(parts, now) })
  if (!row) return false
  const held: Held = { row, holder, line: row.line, results: row.results }
  const signs = setInterval(
    () => {
      renewLease(storage, importId, holder, untilFrom(parts, clock.now())).catch((error) => {
        log.warn({ err: error, importId }, 'The lease of an import could not be prolonged')
      })
    },
    (parts.leaseFor ?? LEASE) / 4,
  )
  signs.unref()
  try {
    return await work(parts, held, signal)
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.warn({ importId }, 'An import was taken over by another process')
      return false
    }
    // A database that is away or silent is not the fault of the import.
    await releaseLease(storage, importId, holder, { stalled: !isOutage(error) }).catch(() => {})
    throw error
  } finally {
    clearInterval(signs)
  }
}

async function work(parts: ImportParts, held: Held, signal?: AbortSignal): Promise<boolean> {
  const { storage } = parts
  let call: Call | null = null
  try {
    call = await callOf(parts, held.row)
    const { stalledRuns } = held.row
    if (stalledRuns >= MAX_STALLED_RUNS) {
      parts.log.error({ importId: held.row.id, line: held.line }, 'An import that stalls its workers was given up')
      const place = held.line === 0 ? 'at the column headers' : `after line ${held.line}`
      throw new ImportStopped(`Processing stopped ${stalledRuns} times ${place} without progress`)
    }
    const rows = parseRows(decode(readPieces(storage, piecesOfImport(held.row.id))))
    const plan = await begin(parts, held, call, await rows.next())
    // After a stall, the rows that share a chunk with the culprit are saved one by one: the last line saved is the one before it.
    const singles = stalledRuns > 0 ? CHUNK_ROWS : 0
    for await (const chunk of inChunks(rowsAfter(held.line, rows), CHUNK_ROWS, singles)) {
      if (signal?.aborted) {
        await releaseLease(storage, held.row.id, held.holder, { stalled: false })
        return false
      }
      await saveChunk(parts, held, plan, chunk)
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error
    await end(parts, held, call, error)
    return true
  }
  await end(parts, held, call, null)
  return true
}

async function callOf({ callFor }: ImportParts, row: ImportRow): Promise<Call> {
  try {
    const call = await callFor(row)
    if (!hasRole(call, 'account_administrator', 'account_owner')) throw new Forbidden()
    return call
  } catch (error) {
    if (error instanceof ItsmError && error.status < 500) throw new ImportStopped(error.message)
    throw error
  }
}

/** Reads the header; the first time, notes the start and what is odd about the header. */
async function begin(parts: ImportParts, held: Held, call: Call, first: IteratorResult<FileRow, void>): Promise<Plan> {
  const { storage, catalog, clock, words } = parts
  const { row } = held
  if (first.done) throw new ImportStopped('The file is empty')
  if (first.value.malformed) throw new ImportStopped('The column headers on line 1 cannot be read')
  const type = [...catalog.types.values()].find((type) => type.import?.type === row.type)
  if (!type) throw new ImportStopped(`There is no import of ${row.type}`)
  const columns = matchHeaders(type, first.value.cells)
  if (held.line === 0) {
    const { line } = first.value
    const warnings = columns.unknown.map((column) =>
      logLine('warning', line, words.sentence(call.language, 'unknown_column', '', { column })),
    )
    const now = clock.now()
    await inTransaction(storage, call, async (call) => {
      const db = dbOf(storage, call)
      await insertLogLines(storage, db, row.id, now, [logLine('info', line, `Import of ${row.type} started`), ...warnings])
      await saveProgress(storage, db, row.id, held.holder, { line, results: NO_RESULTS, until: untilFrom(parts, now) })
    })
    held.line = line
  }
  return { call, type, columns }
}

/** Saves a chunk at once; when that fails as a whole, row by row, so that only the culprits are counted. */
async function saveChunk(parts: ImportParts, held: Held, plan: Plan, rows: readonly FileRow[]): Promise<void> {
  const { log } = parts
  try {
    await commitRows(parts, held, plan, rows)
    return
  } catch (error) {
    // What was too much work at once, or in the way of others, may be done in small steps.
    const isTooBig = isDeadlock(error) || isTimeout(error)
    if (error instanceof LeaseLost || (isOutage(error) && !isTooBig)) throw error
    const expected = error instanceof ManyFailures || error instanceof ItsmError
    if (!expected) log.warn({ err: error, importId: held.row.id }, 'A chunk of an import is repeated row by row')
  }
  for (const row of rows) {
    try {
      await commitRows(parts, held, plan, [row])
    } catch (error) {
      if (error instanceof LeaseLost || isOutage(error)) throw error
      await commitReport(parts, held, plan.call, row.line, reportOf(parts, held, plan, row, error))
    }
    if (failed(held.results) >= MOST_FAILURES) throw new ImportStopped(TOO_MANY_FAILURES)
  }
}

async function commitRows(parts: ImportParts, held: Held, plan: Plan, rows: readonly FileRow[]): Promise<void> {
  const { storage, clock } = parts
  const { type, columns } = plan
  const line = rows.at(-1)?.line ?? held.line
  const call = { ...plan.call, now: momentOf(clock.now()) }
  const results = await inTransaction(storage, call, async (call) => {
    const report = await saveRows(parts, call, type, columns, rows)
    const results = addResults(held.results, report.results)
    if (rows.length > 1 && failed(results) >= MOST_FAILURES) throw new ManyFailures()
    await note(parts, held, call, line, report.lines, results)
    return results
  })
  held.line = line
  held.results = results
}

async function commitReport(parts: ImportParts, held: Held, call: Call, line: number, report: ChunkReport): Promise<void> {
  const results = addResults(held.results, report.results)
  await inTransaction(parts.storage, call, (call) => note(parts, held, call, line, report.lines, results))
  held.line = line
  held.results = results
}

async function note(
  parts: ImportParts,
  { row, holder }: Held,
  call: Call,
  line: number,
  lines: ChunkReport['lines'],
  results: Results,
): Promise<void> {
  const { storage, clock } = parts
  const db = dbOf(storage, call)
  const now = clock.now()
  await insertLogLines(storage, db, row.id, now, lines)
  await saveProgress(storage, db, row.id, holder, { line, results, until: untilFrom(parts, now) })
}

/** What is said of a row whose own transaction failed: refusals are failures, everything else is an error. */
function reportOf(parts: ImportParts, held: Held, plan: Plan, row: FileRow, error: unknown): ChunkReport {
  const { call, type, columns } = plan
  if (error instanceof ItsmError && error.status < 500) {
    const refused =
      error instanceof Invalid ? refusalOf(parts, call, type, error.violations) : { text: error.message, fields: [] }
    return { results: { ...NO_RESULTS, failures: 1 }, lines: [refusalLine(type, columns, row, refused)] }
  }
  // The text of an unexpected error belongs in the log of the operator, not in that of the import.
  parts.log.error({ err: error, importId: held.row.id, line: row.line }, 'A row of an import raised an error')
  const unexpected = { text: 'An unexpected error occurred', fields: [] }
  return { results: { ...NO_RESULTS, errors: 1 }, lines: [refusalLine(type, columns, row, unexpected)] }
}

/** Ends the import, tells the person, and wakes the account's next import. */
async function end(parts: ImportParts, held: Held, call: Call | null, stopped: ImportStopped | null): Promise<void> {
  const { storage, clock } = parts
  const { row, holder, results } = held
  const at = clock.now()
  const line = Math.max(1, held.line)
  const message = stopped?.message ?? null
  const fatal = stopped ? [logLine('fatal', stopped.line ?? line, stopped.message)] : []
  const lines = [...fatal, logLine('info', line, textOfResults(results))]
  const state = stopped ? 'error' : 'done'
  await inOwnTransaction(storage, async (db) => {
    await insertLogLines(storage, db, row.id, at, lines)
    await saveEnd(storage, db, row.id, holder, { state, message, results, at })
  })
  for (const next of await importsInTurn(storage, row.accountId)) parts.wake(next)
  if (call) await tell(parts, call, { ...row, state, message, results, finishedAt: at })
}

async function tell({ baseUrl, log, secret, sendMail, words }: ImportParts, call: Call, row: ImportRow): Promise<void> {
  if (!call.actor || !row.finishedAt) return
  const address = signedAddress(baseUrl, secret, row.logName, row.finishedAt)
  const name = row.state === 'done' ? 'import_completed' : 'import_failed'
  try {
    const { subject, text } = words.mail(row.language, name, mailParams(row, call.account.name, address))
    await sendMail({ to: call.actor.email, subject, text })
  } catch (error) {
    log.warn({ err: error, importId: row.id }, 'The summary of an import could not be mailed')
  }
}

async function* rowsAfter(line: number, rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  for await (const row of rows) if (row.line > line) yield row
}

/**
 * Groups of rows; those before a place that cannot be read come before the error.
 *
 * @param singles so many rows at the beginning come one by one
 */
async function* inChunks(rows: AsyncIterable<FileRow>, size: number, singles: number): AsyncGenerator<readonly FileRow[]> {
  let chunk: FileRow[] = []
  let count = 0
  try {
    for await (const row of rows) {
      chunk.push(row)
      if (count++ >= singles && chunk.length < size) continue
      const full = chunk
      chunk = []
      yield full
    }
  } catch (error) {
    if (chunk.length > 0) yield chunk
    throw error
  }
  if (chunk.length > 0) yield chunk
}

function failed({ failures, errors }: Results): number {
  return failures + errors
}

function untilFrom(parts: ImportParts, now: Date): Date {
  return new Date(now.getTime() + (parts.leaseFor ?? LEASE))
}
