/** What is told about imports after they were submitted: lists of them, their failed rows, and how to stop one. */
import { opensType } from '../access/tokens/token-limits.js'
import type { Call } from '../core/call.js'
import { type Instant, instantOf } from '../core/clock.js'
import { Conflict, NotFound } from '../core/errors.js'
import { BYTE_ORDER_MARK, csvLine, protectedCell } from '../core/text/csv.js'
import { importKinds } from '../schema/derive/import-kinds.js'
import { PERSON } from '../schema/language/built-in-types.js'
import { dbOf, inTransaction } from '../storage/database/transaction.js'
import { FAILURE_HEADERS } from './columns/layouts.js'
import { saveEndOf, wakeAfterEnd } from './end.js'
import { countExamples, type ExampleChange, readExamples } from './progress/example-changes.js'
import { failedRowsOf, headerOf } from './progress/failed-rows.js'
import { readImports, undosOf } from './progress/import-list.js'
import { findImport, type HeaderMapping, type ImportRow, type ImportState } from './progress/import-rows.js'
import { importsInTurn, requestStop } from './progress/import-work.js'
import { signedAddress } from './progress/report.js'
import type { Results } from './progress/results.js'
import { ImportStopped } from './progress/stopped.js'
import type { RunDeps } from './run.js'
import { type SubmittedUndo, submitUndo } from './undo/submit-undo.js'
import { checkImporter, checkKind } from './upload.js'

/** An import, as lists show it. */
export interface ImportEntry {
  readonly id: number
  /** Reads the progress at GET /import/:token. */
  readonly token: string
  readonly type: string
  readonly file_name: string
  /** The person who submitted it; null if the person is gone. */
  readonly created_by: { readonly id: number; readonly name: string } | null
  /** Headers of the file, and what they are read as: `{ "Full name": "Name" }`. Empty if it was sent without a mapping. */
  readonly mapping: HeaderMapping
  /** True if nothing is stored. */
  readonly dry_run: boolean
  /** The import that this one undoes; null if it is an import of a file. */
  readonly undo_of: number | null
  /** The undo of this import; null if it is not undone. */
  readonly undone_by: number | null
  /** True if new records come with their past. */
  readonly history: boolean
  readonly state: ImportState
  /** Line of the last row that is done. */
  readonly line: number
  /** Lines of the file; null if they were not counted. */
  readonly lines: number | null
  readonly results: Results
  /** Why it ended before the end of the file, in English; null if it did not. */
  readonly message: string | null
  /** Signed URL of its log, for 48 hours; null before the end. */
  readonly logfile: string | null
  readonly created_at: Instant
  readonly started_at: Instant | null
  readonly finished_at: Instant | null
}

/** The imports of the account of a call, for its account administrators (behaviour: Import lists). */
export interface ImportEntries {
  /** The newest first. @throws Forbidden */
  list(
    call: Call,
    page: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly items: readonly ImportEntry[]; readonly total: number }>
  /** @throws Forbidden; NotFound for an import of another account */
  read(call: Call, importId: number): Promise<ImportEntry>
  /**
   * Ends an import that waits, and lets one that is worked on end after the rows that are being saved. Does nothing if it was
   * stopped already.
   *
   * @throws Forbidden, NotFound; Conflict if it has come to its end
   */
  stop(call: Call, importId: number): Promise<void>
  /**
   * Undoes what an import has done: records that it created are removed or disabled, and those that it changed get back what they
   * had. Those that somebody has changed since are left, and listed by `failures`. If there is an undo already, returns that.
   *
   * @throws Forbidden, NotFound; Conflict while an import of the account waits or is worked on; Invalid if it cannot be undone
   */
  undo(call: Call, importId: number): Promise<SubmittedUndo>
  /**
   * The rows that were not saved so far, as a CSV file: with the headers and cells of the file, and the line, the column at fault
   * and the reason.
   *
   * @throws Forbidden, NotFound
   */
  failures(call: Call, importId: number): Promise<AsyncIterable<string>>
  /**
   * What a dry run would change: at most 1,000 examples, in the order of the file. Other imports have none.
   *
   * @throws Forbidden, NotFound
   */
  examples(
    call: Call,
    importId: number,
    page: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly items: readonly ExampleChange[]; readonly total: number }>
}

export type EntriesDeps = Omit<RunDeps, 'cutOff'>

export function createEntries(deps: EntriesDeps): ImportEntries {
  const { catalog, storage } = deps

  async function found(call: Call, importId: number): Promise<ImportRow> {
    checkImporter(call)
    const row = await findImport(storage, { id: importId }, dbOf(storage, call))
    if (row?.accountId !== call.account.id) throw new NotFound()
    checkKind(catalog, call, row.type)
    return row
  }

  return {
    async list(call, page) {
      checkImporter(call)
      const kinds = importKinds(catalog)
      const open = kinds.filter(({ record }) => opensType(call, record))
      const types = open.length < kinds.length ? open.map(({ type }) => type) : null
      const { rows, total } = await readImports(storage, call.account.id, types, page)
      return { items: await entriesOf(deps, call, rows), total }
    },

    async read(call, importId) {
      const row = await found(call, importId)
      const [entry] = await entriesOf(deps, call, [row])
      if (!entry) throw new NotFound()
      return entry
    },

    async stop(call, importId) {
      const { actor } = call
      const row = await found(call, importId)
      const importer = await deps.nameOf(row.personId)
      const ended = await inTransaction(storage, call, async (inside) => {
        const db = dbOf(storage, inside)
        const state = await requestStop(storage, db, importId, actor?.id ?? 0)
        if (state === 'ended') throw new Conflict('This import has come to its end')
        const stopped = new ImportStopped('stopped_by', { name: actor?.name ?? '' })
        return state === 'waiting' ? saveEndOf(deps, db, row, stopped, importer) : null
      })
      // It may have been its turn, or its worker may be gone.
      for (const next of await importsInTurn(storage, row.accountId)) deps.wake(next)
      if (ended) wakeAfterEnd(deps)
    },

    undo: async (call, importId) => submitUndo(deps, call, await found(call, importId)),

    async examples(call, importId, page) {
      const { id } = await found(call, importId)
      const total = await countExamples(storage, storage.knex, id)
      return { items: await readExamples(storage, id, page), total }
    },

    async failures(call, importId) {
      const { id } = await found(call, importId)
      const header = await headerOf(storage, id)
      return (async function* () {
        yield `${BYTE_ORDER_MARK}${csvLine([...header, ...FAILURE_HEADERS])}`
        for await (const { cells, field, line, reason } of failedRowsOf(storage, id)) {
          const all = header.map((_, index) => cells[index] ?? '')
          yield csvLine([...all, ...cells.slice(header.length), String(line), field, reason].map(protectedCell))
        }
      })()
    },
  }
}

/** What lists show of imports, with one query for the names of people, and one for undos. */
async function entriesOf(
  { baseUrl, catalog, clock, queries, secret, storage }: EntriesDeps,
  call: Call,
  rows: readonly ImportRow[],
): Promise<readonly ImportEntry[]> {
  const people = [...new Set(rows.map(({ personId }) => personId))]
  const where = { path: ['id'], op: 'in', values: people } as const
  const cells = people.length === 0 ? [] : await queries.cells(call, { type: catalog.type(PERSON), where }, [['id'], ['name']])
  const names = new Map(cells.map(([id, name]) => [Number(id), String(name)]))
  const undos = await undosOf(
    storage,
    rows.map(({ id }) => id),
  )
  const moment = (date: Date | null) => date && instantOf(date)
  return rows.map((row) => {
    const name = names.get(row.personId)
    return {
      id: row.id,
      token: row.token,
      type: row.type,
      file_name: row.fileName,
      created_by: name === undefined ? null : { id: row.personId, name },
      mapping: row.mapping,
      dry_run: row.dryRun,
      undo_of: row.undoOf,
      undone_by: undos.get(row.id) ?? null,
      history: row.history,
      state: row.state,
      line: row.line,
      lines: row.lines,
      results: row.results,
      message: row.message,
      logfile: row.finishedAt && signedAddress(baseUrl, secret, row.logName, clock.now()),
      created_at: instantOf(row.createdAt),
      started_at: moment(row.startedAt),
      finished_at: moment(row.finishedAt),
    }
  })
}
