/** Second step of an undo: records that the import has changed get back what they had, by its audit lines. */
import type { Call, Role } from '../../core/call.js'
import type { EarlierState } from '../../operations/contract.js'
import { accountOfRoles, rolesInText } from '../../operations/people/role-changes.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { NO_RESULTS } from '../progress/results.js'
import { type Change, changedByPlugin, type Line, netChanges, readOwnLines } from './audit-lines.js'
import type { LeftRecord, UndoDeps, Undone, UndoStep } from './contract.js'
import { byType, type LockedRecord, leftRecord, lockRecords, reasonToLeave } from './locked-records.js'
import { saved } from './saved-as-possible.js'

/** A record that can be put back. */
interface Work {
  readonly record: LockedRecord
  readonly state: EarlierState
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
        for (const record of await lockRecords(deps, call, undone, type, ids)) {
          const { own } = record.history
          // A record is put back at its last line, from all of them.
          if (own.length === 0 || own.some(({ id }) => id > last)) continue
          const isNew = own[0]?.isCreation === true
          const reason = reasonToLeave(record)
          // New records are told in the step that removes them.
          if (reason && !isNew) left.push(leftRecord(type, record, reason))
          if (!reason) works.push({ record, ...earlierState(type, record, isNew) })
        }
        const { left: refused, updated, unchanged } = await putBack(deps, call, asUndo, type, works)
        left.push(...refused)
        results = { ...results, updated: results.updated + updated, unchanged: results.unchanged + unchanged }
      }
      return { results: { ...results, failures: left.length }, left }
    },
  }
}

/**
 * What a record had before the import. Of a new one only the references that it got after its creation: records that were created
 * later could not be removed while it refers to them.
 */
function earlierState(type: RecordType, { history }: LockedRecord, isNew: boolean): Omit<Work, 'record'> {
  const changes = netChanges(history.own.slice(isNew ? 1 : 0))
  const values: { [column: string]: Json } = {}
  const links = new Map<string, readonly number[]>()
  const roles = new Map<string, Change>()
  const kept = changedByPlugin(history)
  for (const [name, change] of changes) {
    const [before] = change
    const field = type.columns.get(name)
    const accountId = accountOfRoles(name)
    if (kept.has(name)) continue
    if (field && (!isNew || field.kind === 'ref')) values[name] = before
    else if (type.links.has(name) && !isNew) links.set(name, Array.isArray(before) ? before.map(Number) : [])
    else if (accountId !== null && !isNew) roles.set(accountId, change)
  }
  return { state: { values, links }, roles }
}

async function putBack(
  deps: UndoDeps,
  call: Call,
  asUndo: (call: Call) => Call,
  type: RecordType,
  works: readonly Work[],
): Promise<{ readonly updated: number; readonly unchanged: number; readonly left: readonly LeftRecord[] }> {
  const left: LeftRecord[] = []
  const updated = new Set<number>()
  const unchanged = new Set<number>()
  const isEmpty = ({ state }: Work) => Object.keys(state.values).length + state.links.size === 0
  const withState = works.filter((work) => !isEmpty(work))
  const itemOf = ({ record, state }: Work) => ({ id: record.id, body: {}, restored: state })
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
    if (outcome && !('refused' in outcome)) updated.add(record.id)
    else
      left.push(leftRecord(type, record, { code: 'undo_refused', text: deps.words.sentence(call.language, 'forbidden', '') }))
  }
  return { left, updated: updated.size, unchanged: [...unchanged].filter((id) => !updated.has(id)).length }
}

/** The roles now, without those that the import gave, and with those that it took. */
function rolesBefore([before, after]: Change): (now: readonly Role[]) => readonly Role[] {
  const [had, got] = [rolesInText(before), rolesInText(after)]
  return (now) => [
    ...now.filter((role) => had.includes(role) || !got.includes(role)),
    ...had.filter((role) => !got.includes(role)),
  ]
}
