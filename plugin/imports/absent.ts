/**
 * Whole lists: records of the source of a file that the file does not have are disabled (behaviour: Whole lists). Those that come
 * back are enabled with their rows: `rows/back-again.ts`.
 */
import type { Call } from '../core/call.js'
import { chunksOf } from '../core/chunks.js'
import { instantOf } from '../core/clock.js'
import { isBlank } from '../core/text/blank.js'
import { normalized } from '../core/text/identity.js'
import type { Operations } from '../operations/contract.js'
import { saveEach } from '../operations/work/save-each.js'
import type { Catalog, RecordType } from '../schema/catalog.js'
import type { ImportKind } from '../schema/derive/import-kinds.js'
import type { Criterion } from '../schema/language/conditions.js'
import { inSavepoint } from '../storage/database/savepoint.js'
import { dbOf, inTransaction } from '../storage/database/transaction.js'
import type { Queries } from '../storage/records/query.js'
import type { WordBook } from '../words/words.js'
import { type Columns, cellOf, isField } from './columns/match-columns.js'
import type { FileRow } from './contract.js'
import { noteAbsences } from './progress/absences.js'
import { type LogLine, logLine } from './progress/log-lines.js'
import { oneLine } from './progress/one-line.js'
import { addResults, NO_RESULTS, type Results } from './progress/results.js'
import { ImportStopped } from './progress/stopped.js'
import { DISABLED, hasDisabledFlag } from './rows/disabled-flag.js'
import { isUnsaved, textOfUnsaved } from './rows/refusals.js'
import { type Held, note, type SaveGroupsDeps } from './save-groups.js'
import { newestLine } from './undo/audit-lines.js'

/** Dependencies of disabling records. */
export interface AbsentDeps extends SaveGroupsDeps {
  readonly catalog: Catalog
  readonly operations: Pick<Operations, 'saveAll'>
  readonly queries: Pick<Queries, 'cells'>
  readonly words: Pick<WordBook, 'fieldLabel' | 'sentence'>
}

/** Records that are saved together, and those that are read at once. */
const [CHUNK, PAGE] = [100, 2000]
/** Characters of source IDs in the log. */
const MAX_SHOWN = 60
const BY_ID = [{ field: 'id', descending: false }]

/** A list of the records of one source. */
interface WholeList {
  readonly source: string
  /** In the form in which they are stored. */
  readonly sourceIDs: ReadonlySet<string>
}

/** Thrown to undo a chunk of a dry run. */
class Undone extends Error {}

/** True if records of the type, each a row of its file, can be disabled. */
export function canDisable({ ofParts, record }: ImportKind): boolean {
  return ofParts === null && hasDisabledFlag(record) && record.fields.has('sourceID')
}

/** Reads which records a file has. @throws ImportStopped if its rows do not have one source, and each a source ID */
export async function readWholeList(columns: Columns, rows: AsyncIterable<FileRow>): Promise<WholeList> {
  let source: string | null = null
  const sourceIDs = new Set<string>()
  for await (const { cells, line, malformed } of rows) {
    if (malformed) continue
    const [own, sourceID] = ['source', 'sourceID'].map((name) => cellOf(columns, cells, isField(name)))
    if (isBlank(own) || isBlank(sourceID)) throw new ImportStopped('absent_without_source', { line }, line)
    source ??= own ?? ''
    if (normalized(own ?? '') !== normalized(source)) throw new ImportStopped('absent_with_sources', { line }, line)
    sourceIDs.add(normalized(sourceID ?? ''))
  }
  if (source === null) throw new ImportStopped('absent_without_source', { line: 1 })
  return { source, sourceIDs }
}

/**
 * Disables the records of the source that the list does not have, in the order of their ids, and counts them as updated. An
 * interrupted import goes on after the last one.
 *
 * @returns false if `isStopped` has ended the work before its end
 * @throws ImportStopped if they are more than the limit: then none is disabled
 */
export async function disableAbsent(
  deps: AbsentDeps,
  held: Held,
  call: Call,
  type: RecordType,
  list: WholeList,
  isStopped: () => Promise<boolean>,
): Promise<boolean> {
  const { absent, total } = await findAbsent(deps, call, type, list)
  const { absentLimit } = held.row
  const isFirst = held.absentId === 0
  if (isFirst && absent.length > ((absentLimit ?? 0) * total) / 100)
    throw new ImportStopped('too_many_absent', { count: absent.length, total, limit: absentLimit ?? 0 })
  for (const some of chunksOf(
    absent.filter(({ id }) => id > held.absentId),
    CHUNK,
  )) {
    if (await isStopped()) return false
    const now = instantOf(deps.clock.now())
    const progress = await inTransaction(deps.storage, { ...call, now }, async (inside) => {
      const { lines, results } = await disable(deps, held, inside, type, some)
      const { laterLine, line } = held
      const absentId = some.at(-1)?.id ?? held.absentId
      const progress = { line, laterLine, absentId, results: addResults(held.results, results) }
      await note(deps, held, inside, { lines, failed: [] }, progress)
      return progress
    })
    Object.assign(held, progress)
  }
  return true
}

/** A record that the file does not have. */
interface Absent {
  readonly id: number
  readonly sourceID: string
}

/** The enabled records of the source that the list does not have, and the number of all of them. */
async function findAbsent(
  { queries }: AbsentDeps,
  call: Call,
  type: RecordType,
  { source, sourceIDs }: WholeList,
): Promise<{ readonly absent: readonly Absent[]; readonly total: number }> {
  const tests: readonly Criterion[] = [
    { path: ['account'], op: 'in', values: [call.account.id] },
    { path: ['source'], op: 'in', values: [source] },
    { path: [DISABLED], op: 'in', values: [false] },
  ]
  const absent: Absent[] = []
  let total = 0
  for (let after = 0; ; ) {
    const where: Criterion = { all: [...tests, { path: ['id'], op: '>', values: [after] }] }
    const page = await queries.cells(call, { type, where, sort: BY_ID, limit: PAGE }, [['id'], ['sourceID']])
    total += page.length
    for (const [id, sourceID] of page) {
      const text = String(sourceID ?? '')
      if (!sourceIDs.has(normalized(text))) absent.push({ id: Number(id), sourceID: text })
    }
    if (page.length < PAGE) return { absent, total }
    after = Number(page.at(-1)?.[0])
  }
}

/** Disables records in the transaction of the call, or undoes it in a dry run. Refused ones count as failures. */
async function disable(
  { catalog, operations, storage, words }: AbsentDeps,
  { line, row: { dryRun } }: Held,
  call: Call,
  type: RecordType,
  absent: readonly Absent[],
): Promise<{ readonly lines: readonly LogLine[]; readonly results: Results }> {
  const lines: LogLine[] = []
  let results = NO_RESULTS
  const disabled: number[] = []
  const itemOf = ({ id }: Absent) => ({ id, body: { [DISABLED]: true } })
  const save = async () => {
    for (const { saved, work } of await saveEach(operations, call, type.name, absent, itemOf)) {
      const isRefused = isUnsaved(saved)
      const reason = isRefused ? textOfUnsaved(words, call, type, saved) : ''
      const code = isRefused ? 'absent_refused' : 'absent_disabled'
      const text = words.sentence(call.language, code, '', { source_id: oneLine(work.sourceID, MAX_SHOWN), reason })
      lines.push(logLine(isRefused ? 'error' : 'info', line, text))
      const counter = isRefused ? 'failures' : 'updated'
      results = { ...results, [counter]: results[counter] + 1 }
      if (!isRefused) disabled.push(work.id)
    }
    const db = dbOf(storage, call)
    await noteAbsences(storage, db, type.name, disabled, await newestLine(catalog, storage, db))
    if (dryRun) throw new Undone()
  }
  await inSavepoint(storage, call, save).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return { lines, results }
}
