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

/** Columns that do not tell whether somebody has changed a record. */
const SILENT = new Set(['updated_at'])

/** Creates the step. @param asUndo the call with which earlier states are stored */
export function undoUnaudited(deps: UndoDeps, undone: Undone, asUndo: (call: Call) => Call): UndoStep<UnauditedRow> {
  return {
    read: (below, limit) => readUnaudited(deps.storage, undone.importId, below, limit),
    async undo(call, rows) {
      const report: { results: Results; left: LeftRecord[] } = { results: NO_RESULTS, left: [] }
      for (const some of alike(rows)) {
        const type = deps.catalog.types.get(some[0]?.type ?? '')
        if (!type) continue
        const open =
          type.partOf.length > 0 || type.name === NOTE ? await ofOpenOwners(deps, call, undone, some, report.left) : some
        const done = await undoAlike(deps, asUndo(call), type, open)
        report.results = addResults(report.results, done.results)
        report.left.push(...done.left)
      }
      return { results: { ...report.results, failures: report.left.length }, left: report.left }
    },
  }
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
 * The sub-records of records that nobody has changed since. Those of records that the import created go with these. Notes cannot
 * be changed, so they may go whatever has become of their record.
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
    if (!record?.row || record.history.own[0]?.isCreation) return false
    const reason = isNote ? null : reasonToLeave(record)
    // Owners with lines of the import are told in the step that puts these back.
    if (reason && record.history.own.length === 0) left.push(leftRecord(owner, record, reason))
    return reason === null
  }
  return rows.filter((row) => isOpen(owners.get(row.owner?.id ?? 0), row.type === NOTE))
}

async function undoAlike(
  deps: UndoDeps,
  call: Call,
  type: RecordType,
  rows: readonly UnauditedRow[],
): Promise<Pick<UndoReport, 'left' | 'results'>> {
  const [first] = rows
  if (!first) return { results: NO_RESULTS, left: [] }
  const where = { path: ['id'], op: 'in', values: rows.map(({ recordId }) => recordId) } as const
  const stored = new Map(
    (await deps.queries.rows(call, { type, where }, { lock: true })).map((row) => [Number(row['id']), row]),
  )
  const left: LeftRecord[] = []
  const tell = (row: UnauditedRow, reason: LeftReason) =>
    left.push(leftRecord(type, { id: row.recordId, row: stored.get(row.recordId) ?? null }, reason))

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
    if (now && differs(type, now, row.after)) tell(row, { code: 'undo_changed_since', byId: null, by: '', at: '' })
    return now && !differs(type, now, row.after)
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

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
