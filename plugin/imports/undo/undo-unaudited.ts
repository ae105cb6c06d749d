/** First step of an undo: notes, other sub-records, and records without audit lines. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import { NOTE } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'
import { readUnaudited, type UnauditedRow } from '../../storage/queues/unaudited-rows.js'
import { addResults, NO_RESULTS, type Results } from '../progress/results.js'
import type { LeftReason, LeftRecord, UndoDeps, Undone, UndoReport, UndoStep } from './contract.js'
import { type LockedRecord, leftRecord, lockRecords, reasonToLeave } from './locked-records.js'
import { removed, saved } from './saved-as-possible.js'

/** A record of which a write was not undone. */
interface LeftRow extends LeftRecord {
  readonly owner: UnauditedRow['owner']
}

/** Columns that do not tell whether somebody has changed a record. */
const SILENT = new Set(['updated_at'])

/** Creates the step. @param asUndo the call with which earlier states are stored */
export function undoUnaudited(deps: UndoDeps, undone: Undone, asUndo: (call: Call) => Call): UndoStep<UnauditedRow> {
  return {
    read: (below, limit) => readUnaudited(deps.storage, undone.importId, below, limit),
    async undo(call, rows) {
      const left: LeftRecord[] = []
      const open: UnauditedRow[] = []
      for (const some of alike(rows)) {
        const type = deps.catalog.types.get(some[0]?.type ?? '')
        if (!type) continue
        const isPart = type.partOf.length > 0 || type.name === NOTE
        open.push(...(isPart ? await ofOpenOwners(deps, call, undone, some, left) : some))
      }
      const done = await undoRows(deps, asUndo(call), open)
      return { results: done.results, left: [...left, ...done.left] }
    },
  }
}

/** Undoes writes of rows in their order. @param call with which earlier states are stored */
export async function undoRows(
  deps: UndoDeps,
  call: Call,
  rows: readonly UnauditedRow[],
): Promise<Pick<UndoReport, 'results'> & { readonly left: readonly LeftRow[] }> {
  let results: Results = NO_RESULTS
  const left: LeftRow[] = []
  for (const some of alike(rows)) {
    const type = deps.catalog.types.get(some[0]?.type ?? '')
    if (!type) continue
    const done = await undoAlike(deps, call, type, some)
    results = addResults(results, done.results)
    left.push(...done.left)
  }
  return { results, left }
}

/** Rows of one type that were written in the same way, each record once, without changing the order of all of them. */
function alike(rows: readonly UnauditedRow[]): readonly (readonly UnauditedRow[])[] {
  const kindOf = ({ after, before, owner, type }: UnauditedRow) =>
    [type, owner?.type, before === null, after === null].join(' ')
  const groups: UnauditedRow[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    const fits = group?.every((one) => kindOf(one) === kindOf(row) && one.recordId !== row.recordId)
    if (group && fits) group.push(row)
    else groups.push([row])
  }
  return groups
}

/**
 * The sub-records of records that nobody has changed since. Those of records with lines of the import go with these: what follows
 * from both would otherwise be decided between two states. Notes cannot be changed, so they may go whatever has become of their
 * record, unless the import created it.
 */
async function ofOpenOwners(
  deps: UndoDeps,
  call: Call,
  undone: Undone,
  rows: readonly UnauditedRow[],
  left: LeftRecord[],
): Promise<readonly UnauditedRow[]> {
  const owner = deps.catalog.types.get(rows[0]?.owner?.type ?? '')
  if (!owner) return []
  const ids = [...new Set(rows.flatMap((row) => row.owner?.id ?? []))]
  const owners = new Map((await lockRecords(deps, call, undone, owner, ids)).map((record) => [record.id, record]))
  const isOpen = (record: LockedRecord | undefined, isNote: boolean): boolean => {
    if (!record?.row) return false
    if (isNote) return !record.history.own[0]?.isCreation
    if (record.history.own.length > 0) return false
    const reason = reasonToLeave(record)
    if (reason) left.push(leftRecord(owner, record, reason))
    return reason === null
  }
  return rows.filter((row) => isOpen(owners.get(row.owner?.id ?? 0), row.type === NOTE))
}

async function undoAlike(
  deps: UndoDeps,
  call: Call,
  type: RecordType,
  rows: readonly UnauditedRow[],
): Promise<Pick<UndoReport, 'results'> & { readonly left: readonly LeftRow[] }> {
  const [first] = rows
  if (!first) return { results: NO_RESULTS, left: [] }
  const where = { path: ['id'], op: 'in', values: rows.map(({ recordId }) => recordId) } as const
  const stored = new Map(
    (await deps.queries.rows(call, { type, where }, { lock: true })).map((row) => [Number(row['id']), row]),
  )
  const left: LeftRow[] = []
  const tell = (row: UnauditedRow, reason: LeftReason) => {
    const record = { id: row.recordId, row: stored.get(row.recordId) ?? null }
    left.push({ ...leftRecord(type, record, reason), owner: row.owner })
  }

  if (first.after === null) {
    let created = 0
    for (const row of rows) {
      // One by one: several new rows would get ids of the database.
      const state = { values: { ...row.before }, links: new Map() }
      const itemOf = ({ owner }: UnauditedRow) => ({ id: null, body: {}, restored: state, ...(owner && { owner }) })
      for (const { done } of stored.has(row.recordId) ? [] : await saved(deps, call, type, [row], itemOf)) {
        if (typeof done === 'object') tell(row, done)
        else created++
      }
    }
    return { results: { ...NO_RESULTS, created }, left }
  }

  const there = rows.filter((row) => {
    const now = stored.get(row.recordId)
    // An earlier undo that was stopped may have put it back.
    if (!now || (row.before && !differs(type, now, row.before))) return false
    const isAsImported = !differs(type, now, row.after)
    // Who has changed it is not stored.
    if (!isAsImported) tell(row, { code: 'undo_changed_since', byId: null, by: '', at: String(now['updated_at'] ?? '') })
    return isAsImported
  })
  if (first.before === null) {
    const items = there.map(({ owner, recordId }) => ({ id: recordId, ...(owner && { owner }) }))
    const reasons = await removed(deps, call, type, items)
    for (const row of there) {
      const reason = reasons.get(row.recordId)
      if (reason) tell(row, reason)
    }
    return { results: { ...NO_RESULTS, deleted: there.length - reasons.size }, left }
  }

  let updated = 0
  const itemOf = ({ after, before, owner, recordId }: UnauditedRow) => {
    const columns = [...type.columns.keys()].filter(
      (column) => !SILENT.has(column) && !isSame(before?.[column], after?.[column]),
    )
    const values = Object.fromEntries(columns.map((column) => [column, before?.[column] ?? null]))
    return { id: recordId, body: {}, restored: { values, links: new Map() }, ...(owner && { owner }) }
  }
  for (const { done, work } of await saved(deps, call, type, there, itemOf)) {
    if (typeof done === 'object') tell(work, done)
    else updated++
  }
  return { results: { ...NO_RESULTS, updated }, left }
}

function differs({ columns }: RecordType, now: Row, then: Row | null): boolean {
  return [...columns.keys()].some((column) => !SILENT.has(column) && !isSame(now[column], then?.[column]))
}

/** True for equal values of a column. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
