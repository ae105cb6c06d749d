/**
 * Lets people work on records of trusted accounts that were passed to the account in which they act (behaviour: Passed
 * records). The work runs in the account of the record, so that its rules, audit lines and events are the same as for people of
 * that account.
 */
import type { Callers } from '../../access/people/callers.js'
import { opensType } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import { TEAM } from '../../schema/language/built-in-types.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { isInHosts } from '../../storage/database/transaction.js'
import type { Operations, Owner } from '../contract.js'
import type { ReadDeps } from './read-deps.js'
import { mayRefer, visibleRows } from './visible.js'

/** Fields whose person or team works on the record. */
const ASSIGNEES = [TEAM, 'member'] as const

/** The calls for those of the records that were passed to the account of the call, by id; one query. */
export type PassedCalls = (call: Call, type: string, ids: readonly number[]) => Promise<ReadonlyMap<number, Call>>

/** Finds out from which accounts records were passed on. */
export function createPassedCalls(deps: ReadDeps, callers: Pick<Callers, 'callAt'>): PassedCalls {
  return async (call, name, ids) => {
    const calls = new Map<number, Call>()
    const type = deps.catalog.types.get(name)
    if (!type || (call.transaction && !isInHosts(call)) || call.passed || ids.length === 0) return calls
    const passed = await deps.scope.passed(call, type)
    if (passed === null) return calls
    const named = ASSIGNEES.filter((field) => type.fields.get(field)?.record)
    const where: Criterion = { all: [{ path: ['id'], op: 'in', values: [...new Set(ids)] }, passed] }
    const slots = [['id'], ['account'], ...named.flatMap((field) => [[field, 'account'], [field]])]
    for (const [id, account, ...cells] of await deps.queries.cells(call, { type, where }, slots)) {
      const ours = named.flatMap((field, place): (readonly [string, number])[] =>
        cells[place * 2] === call.account.id ? [[`${field}_id`, Number(cells[place * 2 + 1])]] : [],
      )
      const record = { type: name, id: Number(id), assignees: new Map(ours) }
      const there = await callers.callAt(call, record, String(account))
      if (there) calls.set(Number(id), there)
    }
    return calls
  }
}

/** The operations, also for passed records. Records of the own account cost no further query, and neither do unknown types. */
export function alsoPassedOn(deps: ReadDeps, callsAt: PassedCalls, operations: Operations): Operations {
  /** The call for the record; null if it was not passed to the account of the call. */
  const callAt = async (call: Call, { type, id }: Owner): Promise<Call | null> =>
    (await callsAt(call, type, [id])).get(id) ?? null

  /** Does the work as usual; if the record is not among those of the account, does it where the record was passed from. */
  const at = async <T>(call: Call, record: Owner | null, work: (call: Call) => Promise<T>): Promise<T> => {
    try {
      return await work(call)
    } catch (error) {
      const there = error instanceof NotFound && record ? await callAt(call, record) : null
      if (!there) throw error
      return work(there)
    }
  }
  /** The call in the account from which the record was passed on; null if the caller does not see it there, or sees it here. */
  const whereSeen = async (call: Call, { id, type }: Owner): Promise<Call | null> => {
    if (call.trusted.length === 0) return null
    try {
      const there = await at(call, { type, id }, async (one) => {
        await operations.read(one, type, id)
        return one
      })
      return there === call ? null : there
    } catch (error) {
      // The work itself refuses the caller.
      if (error instanceof NotFound || error instanceof Forbidden) return null
      throw error
    }
  }
  const recordOf = (type: string, id: number | null, owner: Owner | undefined): Owner | null =>
    owner ?? (id === null ? null : { type, id })

  return {
    ...operations,
    list: (call, type, request) => at(call, request.within ?? null, (there) => operations.list(there, type, request)),
    read: (call, type, id, owner, ...more) =>
      at(call, owner ?? { type, id }, (there) => operations.read(there, type, id, owner, ...more)),
    save: (call, type, id, body, owner, ...more) =>
      at(call, recordOf(type, id, owner), (there) => operations.save(there, type, id, body, owner, ...more)),
    beforeSubmit: async (call, type, item) => {
      const record = recordOf(type, item.id, item.owner)
      const there = record && (await whereSeen(call, record))
      return there ?? operations.beforeSubmit(call, type, item)
    },
    placesOf: async (call, name, items) => {
      const places = await operations.placesOf(call, name, items)
      const type = deps.catalog.type(name)
      const ids = items.flatMap(({ id }) => id ?? [])
      if (call.trusted.length === 0 || ids.length === 0 || !(await mayRefer(deps, call, type)) || !opensType(call, type))
        return places
      const own = await visibleRows(deps, call, type, ids)
      const passed = await callsAt(
        call,
        name,
        ids.filter((id) => !own.has(id)),
      )
      return places.map((place, index) => passed.get(items[index]?.id ?? 0) ?? place)
    },
    submit: (call, type, item, ...more) =>
      at(call, recordOf(type, item.id, item.owner), (there) => operations.submit(there, type, item, ...more)),
    remove: (call, type, id, owner, ...more) =>
      at(call, owner ?? { type, id }, (there) => operations.remove(there, type, id, owner, ...more)),
    removeAll: (call, type, owner, ...more) => at(call, owner, (there) => operations.removeAll(there, type, owner, ...more)),
    link: (call, owner, ...more) => at(call, owner, (there) => operations.link(there, owner, ...more)),
    unlink: (call, owner, ...more) => at(call, owner, (there) => operations.unlink(there, owner, ...more)),
    unlinkAll: (call, owner, ...more) => at(call, owner, (there) => operations.unlinkAll(there, owner, ...more)),
  }
}
