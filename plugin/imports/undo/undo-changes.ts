/** Second step of an undo: records that the import has changed get back what they had, by its audit lines. */
import type { Call, Role } from '../../core/call.js'
import type { EarlierState } from '../../operations/contract.js'
import { accountOfRoles, rolesInText } from '../../operations/people/role-changes.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { NOTE } from '../../schema/language/built-in-types.js'
import { dbOf } from '../../storage/database/transaction.js'
import { readUnauditedParts } from '../../storage/queues/unaudited-rows.js'
import { addResults, NO_RESULTS } from '../progress/results.js'
import { type Change, changedByPlugin, type Line, netChanges, readOwnLines } from './audit-lines.js'
import type { LeftRecord, UndoDeps, Undone, UndoReport, UndoStep } from './contract.js'
import { type LinkChanges, linksBefore } from './links-before.js'
import { byType, type LockedRecord, leftRecord, lockRecords, reasonToLeave } from './locked-records.js'
import { keptWithAnother } from './records-to-keep.js'
import { saved } from './saved-as-possible.js'
import { undoRows } from './undo-unaudited.js'

/** A record that can be put back. */
interface Work {
  readonly record: LockedRecord
  readonly values: EarlierState['values']
  readonly links: LinkChanges
  readonly roles: ReadonlyMap<string, Change>
}

/** Creates the step. @param asUndo the call with which earlier states are stored */
export function undoChanges(deps: UndoDeps, undone: Undone, asUndo: (call: Call) => Call): UndoStep<Line> {
  return {
    read: (below, limit) => readOwnLines(deps, undone, below, limit),
    async undo(call, lines) {
      const last = Math.max(...lines.map(({ id }) => id))
      let results = NO_RESULTS
      const left: LeftRecord[] = []
      for (const [name, some] of byType(lines)) {
        const type = deps.catalog.types.get(name)
        if (!type) continue
        const ids = [...new Set(some.map(({ recordId }) => recordId))]
        const works: Work[] = []
        const records = await lockRecords(deps, call, undone, type, ids)
        const kept = await keptWithAnother(deps, call, undone, type, records)
        for (const record of records) {
          const { own } = record.history
          // A record is put back at its last line, from all of them.
          if (own.length === 0 || own.some(({ id }) => id > last) || kept.has(record.id)) continue
          const isNew = own[0]?.isCreation === true
          const reason = reasonToLeave(record)
          // New records are told in the step that removes them.
          if (reason && !isNew) left.push(leftRecord(type, record, reason))
          if (!reason) works.push({ record, ...earlierState(type, record, isNew) })
        }
        const done = await withParts(deps, call, undone, asUndo, type, works)
        left.push(...done.left)
        results = addResults(results, done.results)
      }
      return { results: { ...results, failures: left.length }, left }
    },
  }
}

/**
 * What a record had before the import. Of a new one only the references that it got after its creation: records that were created
 * later could not be removed while it refers to them.
 */
export function earlierState(type: RecordType, { history }: LockedRecord, isNew: boolean): Omit<Work, 'record'> {
  const changes = netChanges(history.own.slice(isNew ? 1 : 0))
  const values: { [column: string]: Json } = {}
  const links = new Map<string, Change>()
  const roles = new Map<string, Change>()
  const kept = changedByPlugin(history)
  for (const [name, change] of changes) {
    const [before] = change
    const field = type.columns.get(name)
    const accountId = accountOfRoles(name)
    if (kept.has(name)) continue
    if (field && (!isNew || field.kind === 'ref')) values[name] = before
    else if (type.links.has(name) && !isNew) links.set(name, change)
    else if (accountId !== null && !isNew) roles.set(accountId, change)
  }
  return { values, links, roles }
}

/** Puts records back together with their sub-records, so that settling sees both as they were. */
async function withParts(
  deps: UndoDeps,
  call: Call,
  undone: Undone,
  asUndo: (call: Call) => Call,
  type: RecordType,
  works: readonly Work[],
): Promise<UndoReport> {
  const old = new Map(works.flatMap(({ record }) => (record.history.own[0]?.isCreation ? [] : [[record.id, record]])))
  const owner = { type: type.name, ids: [...old.keys()] }
  const rows =
    type.parts.size === 0 ? [] : await readUnauditedParts(deps.storage, dbOf(deps.storage, call), undone.importId, owner)
  const parts = rows.filter((row) => row.type !== NOTE)
  if (parts.length === 0) return putBack(deps, call, asUndo, type, works)
  return deps.operations.together(call, async (inside) => {
    const done = await undoRows(deps, asUndo(inside), parts)
    const back = await putBack(deps, inside, asUndo, type, works)
    // The record is told for its sub-record.
    const left = done.left.map((one) => {
      const record = old.get(one.owner?.id ?? 0)
      return record ? leftRecord(type, record, one.reason) : one
    })
    return { results: addResults(done.results, back.results), left: [...left, ...back.left] }
  })
}

async function putBack(
  deps: UndoDeps,
  call: Call,
  asUndo: (call: Call) => Call,
  type: RecordType,
  works: readonly Work[],
): Promise<UndoReport> {
  const left: LeftRecord[] = []
  const updated = new Set<number>()
  const unchanged = new Set<number>()
  const withState = works.filter(({ links, values }) => Object.keys(values).length + links.size > 0)
  const links = await linksBefore(deps, call, type, new Map(withState.map((work) => [work.record.id, work.links])))
  const itemOf = ({ record: { id }, values }: Work) => ({
    id,
    body: {},
    restored: { values, links: links.get(id) ?? new Map() },
  })
  for (const { done, work } of await saved(deps, asUndo(call), type, withState, itemOf)) {
    const { record } = work
    if (typeof done === 'object') left.push(leftRecord(type, record, done))
    else if (record.history.own[0]?.isCreation) continue
    else (done === 'unchanged' ? unchanged : updated).add(record.id)
  }
  const withRoles = works.filter(({ roles }) => roles.size > 0)
  const changes = withRoles.flatMap(({ record, roles }) =>
    [...roles].map(([accountId, change]) => ({ record, accountId, change })),
  )
  const outcomes =
    changes.length === 0
      ? []
      : await deps.permissions.changeEach(
          call,
          changes.map(({ accountId, change, record }) => ({ personId: record.id, accountId, wanted: rolesBefore(change) })),
        )
  for (const [index, { record }] of changes.entries()) {
    const outcome = outcomes[index]
    if (outcome && !('refused' in outcome))
      (outcome.before.join() === outcome.after.join() ? unchanged : updated).add(record.id)
    else
      left.push(leftRecord(type, record, { code: 'undo_refused', text: deps.words.sentence(call.language, 'forbidden', '') }))
  }
  const isOnlyUnchanged = (id: number) => !updated.has(id)
  return { results: { ...NO_RESULTS, updated: updated.size, unchanged: [...unchanged].filter(isOnlyUnchanged).length }, left }
}

/** The roles now, without those that the import gave, and with those that it took. */
function rolesBefore([before, after]: Change): (now: readonly Role[]) => readonly Role[] {
  const [had, got] = [rolesInText(before), rolesInText(after)]
  return (now) => [
    ...now.filter((role) => had.includes(role) || !got.includes(role)),
    ...had.filter((role) => !got.includes(role)),
  ]
}
