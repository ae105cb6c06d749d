/** Saves a chunk of rows through the pipeline, in the transaction of the call. */
import type { Call } from '../../core/call.js'
import { historyCall } from '../../core/import-calls.js'
import type { Operations, SaveItem, SaveOutcome } from '../../operations/contract.js'
import { saveEach } from '../../operations/work/save-each.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Queries } from '../../storage/records/query.js'
import type { Input } from '../columns/column.js'
import type { Columns } from '../columns/match-columns.js'
import type { FileRow, RowsReport } from '../contract.js'
import type { LaterRow } from '../progress/later-rows.js'
import { logLine } from '../progress/log-lines.js'
import type { Results } from '../progress/results.js'
import type { RecordGroup } from './adjacent-rows.js'
import type { BackAgain } from './back-again.js'
import { withoutEmptyParts } from './empty-parts.js'
import { findParts } from './find-parts.js'
import { type FoundIds, findRecords, findReferences, type LookupDeps, tokenOf } from './lookups.js'
import type { IsNamedLater } from './names-in-file.js'
import { withNewNotes } from './new-notes.js'
import { bodyOf, openReferences, prepareGroup } from './prepare.js'
import type { Missing, PreparedRow, RowBody } from './prepared-row.js'
import {
  isUnsaved,
  placeInList,
  type Refusal,
  type RefusalWords,
  reasonOf,
  refusalOfMissing,
  refusalOfUnsaved,
  shownValue,
} from './refusals.js'
import { type SavedRow, saveChildren } from './save-children.js'
import { saveNames } from './save-names.js'
import { readOrders, saveOrders, type WantedOrders } from './save-order.js'
import { otherName, otherThanStored } from './seldom-meant.js'
import { createTally } from './tally.js'

type Saved = Extract<SaveOutcome, { readonly row: object }>

/** Dependencies of saving rows. */
export interface SaveRowsDeps extends LookupDeps {
  readonly catalog: Catalog
  readonly operations: Pick<Operations, 'findIds' | 'removeEach' | 'saveAll'>
  readonly queries: Pick<Queries, 'cells' | 'linkedCells'>
  readonly words: RefusalWords
}

interface Work extends RowBody {
  readonly row: PreparedRow
  readonly id: number | null
  /** True if it refers to records that neither exist nor are made later: it is checked, and refused. */
  readonly isRefused: boolean
}

interface CountedRow extends SavedRow {
  readonly counter: keyof Results
  /** True if it refers to later rows. */
  readonly isLater: boolean
}

/**
 * Saves the rows. Refused rows count as failures and change nothing. A row that depends on an earlier row of the chunk (same
 * record, or a reference to a record that it creates) is saved after it: the chunk is split before that row. References to later
 * rows of the file are left to `saveLater`.
 *
 * @param list what becomes of the rows of a whole list; null for other files
 */
export async function saveRows(
  deps: SaveRowsDeps,
  call: Call,
  columns: Columns,
  isNamedLater: IsNamedLater,
  list: BackAgain | null,
  groups: readonly RecordGroup[],
): Promise<RowsReport> {
  const { words } = deps
  const { type } = columns
  const serviceSetsKey = type.fields.get(columns.key ?? '')?.readOnly ?? false
  const tally = createTally(words, call, columns)
  const later: LaterRow[] = []
  const saved: { line: number; recordId: number }[] = []
  const fail = (row: FileRow, refusal: Refusal, rows: readonly FileRow[]) => {
    tally.count('failures', rows.length)
    tally.refuse(row, refusal, rows)
  }

  const prepared: PreparedRow[] = []
  const otherNames = new Map(groups.map(({ otherNameOn, rows: [first] }) => [first?.line, otherNameOn]))
  for (const group of groups) {
    const wrong = wrongRowOf(columns, group)
    if (wrong) fail(wrong.row, reasonOf(words, call, wrong.code), group.rows)
    else prepared.push(...prepareGroup(call, deps.catalog, columns, group))
  }

  const lookup = new Map(await lookUp(deps, call, columns, prepared))
  for (const line of await otherThanStored(deps, call, columns, prepared, (row) => idOf(row, lookup))) tally.note(line)
  /** Tokens of earlier rows of this chunk: lookups that were made before these rows are out of date. */
  const earlier = new Set<string>()
  let batch: Work[] = []
  let inBatch = new Set<string>()

  async function finishBatch(): Promise<void> {
    const works = batch
    batch = []
    inBatch = new Set()
    const [refused, sound] = [works.filter(({ isRefused }) => isRefused), works.filter(({ isRefused }) => !isRefused)]
    const orders = await readOrders(deps, call, columns, sound)
    for (const [row, refusal] of orders.refused) fail(row, refusal, row.rows)
    const open = sound.filter(({ row }) => !orders.refused.has(row))
    const withNotes = await withNewNotes(deps, call, type, open)
    const full = await withoutEmptyParts(deps, call, type, withNotes)
    const complete = list ? await list.enabled(call, full) : full
    const items = [...complete, ...refused].sort((one, other) => one.row.line - other.row.line)
    if (!columns.isHistory) return saveItems(call, items, orders.wanted)
    const isNew = ({ id }: Work) => id === null
    await saveItems(historyCall(call), items.filter(isNew), orders.wanted)
    await saveItems(
      call,
      items.filter((item) => !isNew(item)),
      orders.wanted,
    )
  }

  async function saveItems(call: Call, items: readonly Work[], wanted: WantedOrders): Promise<void> {
    const rows: CountedRow[] = []
    for (const { saved: outcome, work } of await saveEach(deps.operations, call, type.name, items, itemOf)) {
      const { body, isRefused, missing, row } = work
      if (isUnsaved(outcome)) {
        const wrong = isRefused ? row : (row.listedRows[placeInList(outcome) - 1] ?? row)
        const refusal = isRefused
          ? refusalOfMissing(words, call, columns, row, missing, outcome)
          : refusalOfUnsaved(words, call, columns, wrong, outcome)
        fail(wrong, refusal, row.rows)
      } else
        rows.push({ row, id: Number(outcome.row['id']), counter: counterOf(type, outcome, body), isLater: missing.length > 0 })
    }
    for (const line of list ? await list.saved(call, rows) : []) tally.note(line)
    const children = await saveChildren(deps, call, columns, rows, lookup)
    const names = await saveNames(deps, call, columns, rows)
    const changed = new Set([...children, ...names, ...(await saveOrders(deps, call, columns, wanted, rows))])
    for (const { counter, id, isLater, row } of rows) {
      const countedAs = counter === 'unchanged' && changed.has(id) ? 'updated' : counter
      tally.count(countedAs)
      // Further rows of a new record change it.
      tally.count(countedAs === 'created' ? 'updated' : countedAs, row.rows.length - 1)
      const earlier = otherNames.get(row.line)
      if (earlier !== undefined && countedAs !== 'created') tally.note(otherName(words, call, columns, row, earlier))
      saved.push(...row.rows.map(({ line }) => ({ line, recordId: id })))
      if (isLater) later.push({ line: row.line, recordId: id, countedAs })
    }
  }

  /** Looks up again what the row names, and returns its record: what was found before may have another key by now. */
  async function findAgain(row: PreparedRow): Promise<number | null> {
    lookup.delete(tokenOf(row.identity) ?? '')
    for (const [token, id] of await lookUp(deps, call, columns, [row])) lookup.set(token, id)
    return idOf(row, lookup)
  }

  /** True if later rows make everything that the row refers to and that is missing. */
  async function areNamedLater({ line }: PreparedRow, missing: readonly Missing[]): Promise<boolean> {
    for (const { name } of missing) if (name === null || !(await isNamedLater(call, name, line))) return false
    return true
  }

  async function findAfterBatch(row: PreparedRow): Promise<number | null> {
    await finishBatch()
    return findAgain(row)
  }

  for (const [index, row] of prepared.entries()) {
    let id = idOf(row, lookup)
    // Any earlier row may have got this key when it was saved. Such types have tens of records, not thousands.
    if (serviceSetsKey && id === null && row.identity.by === 'key' && index > 0) id = await findAfterBatch(row)
    const needs = (id: number | null) => [
      tokenOf(row.identity) ?? '',
      ...(id === null ? [] : [`record ${id}`]),
      ...openReferences(type, row, lookup),
    ]
    if (needs(id).some((token) => earlier.has(token))) {
      const isInBatch = needs(id).some((token) => inBatch.has(token))
      id = await (isInBatch ? findAfterBatch(row) : findAgain(row))
      if (id !== null && inBatch.has(`record ${id}`)) id = await findAfterBatch(row)
    }
    const read = bodyOf(row, columns, id, lookup)
    const isRefused = !(await areNamedLater(row, read.missing))
    batch.push({ row, id, isRefused, ...read })
    const ofRecord = id === null ? [] : [`record ${id}`]
    // Nobody may wait for what a refused row would make.
    for (const token of isRefused ? ofRecord : [...row.provides, ...ofRecord]) {
      earlier.add(token)
      inBatch.add(token)
    }
    if (isRefused) continue
    if (id === null && row.identity.by === 'id') {
      const { text } = reasonOf(words, call, 'unknown_id', '', { id: shownValue(row.identity.id) })
      tally.note(logLine('warning', row.line, text))
    }
  }
  await finishBatch()
  return { ...tally.report(), later, saved }
}

/** Finds the records of the identities and references of the rows, in one map. */
async function lookUp(
  deps: LookupDeps & { readonly catalog: Catalog },
  call: Call,
  columns: Columns,
  rows: readonly PreparedRow[],
): Promise<FoundIds> {
  const { key, type } = columns
  const identities = rows.map((row) => row.identity)
  const records = await findRecords(deps, call, type, key, identities)
  const references = rows.flatMap((row) => row.cellReferences.flatMap((cell) => cell.references))
  const found = new Map([...records, ...(await findReferences(deps.operations, call, references))])
  return findParts(deps, call, columns, rows, found)
}

/** The row for which a group cannot be saved, with the code of the message; null if there is none. */
function wrongRowOf(
  { columns }: Columns,
  { isRepeated, rows }: RecordGroup,
): { readonly row: FileRow; readonly code: string } | null {
  for (const row of rows) {
    if (row.malformed) return { row, code: 'malformed_row' }
    if (row.cells.length > columns.length) return { row, code: 'surplus_cells' }
    if (isRepeated) return { row, code: 'not_consecutive' }
  }
  return null
}

/** The counter of a saved row. One that marks its record as removed counts as deleted. */
function counterOf({ softDeleteField }: RecordType, { outcome }: Saved, body: Input): keyof Results {
  return outcome === 'updated' && softDeleteField !== null && body[softDeleteField] === true ? 'deleted' : outcome
}

function itemOf({ body, id, isRefused, missing }: Work): SaveItem {
  return { id, body, ...(isRefused && { notFound: missing.map(({ field }) => field) }) }
}

function idOf(row: PreparedRow, lookup: FoundIds): number | null {
  return lookup.get(tokenOf(row.identity) ?? '') ?? null
}
