/** Finds the records that a caller sees among some ids, wherever they are: in its account, or passed to it from trusted ones. */
import { allows } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { PassedCalls } from '../read/passed-on.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRows } from '../read/visible.js'

/** A record that the caller sees. */
export interface SeenRecord {
  /** The call that works on it: for a passed record, the one in its account. */
  readonly call: Call
  readonly row: Row
}

/**
 * The visible ones by their id, as far as the host allows to read them: one query for those of the account of the call, and one for
 * each account that has passed on some of them.
 *
 * @param callsAt finds the accounts from which records were passed on
 * @throws Forbidden if the type is closed to the caller
 */
export async function seenRecords(
  deps: ReadDeps,
  callsAt: PassedCalls,
  call: Call,
  type: RecordType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SeenRecord>> {
  const seen = new Map<number, SeenRecord>()
  for (const [id, row] of await visibleRows(deps, call, type, ids)) seen.set(id, { call, row })
  const others = ids.filter((id) => !seen.has(id))
  const passed = call.trusted.length === 0 ? new Map<number, Call>() : await callsAt(call, type.name, others)
  for (const calls of byAccount(passed)) {
    const [first = call] = calls.values()
    // All calls in an account see the same.
    const rows = await visibleRows(deps, first, type, [...calls.keys()])
    for (const [id, row] of rows) seen.set(id, { call: calls.get(id) ?? first, row })
  }
  if (deps.decisions.asksHost) await dropUnreadable(deps, type, seen)
  return seen
}

/** The calls, those in the same account together. */
function byAccount(calls: ReadonlyMap<number, Call>): Iterable<ReadonlyMap<number, Call>> {
  const accounts = new Map<string, Map<number, Call>>()
  for (const [id, call] of calls) {
    const there = accounts.get(call.account.id) ?? new Map<number, Call>()
    accounts.set(call.account.id, there.set(id, call))
  }
  return accounts.values()
}

/** The host decides on each record. */
async function dropUnreadable({ decisions }: ReadDeps, type: RecordType, seen: Map<number, SeenRecord>): Promise<void> {
  for (const [id, { call, row }] of seen) {
    if (!(await allows(decisions, call, 'read', type, row))) seen.delete(id)
  }
}
