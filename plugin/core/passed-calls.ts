/** The limits of calls that work on a record of a trusted account (behaviour: Passed records). */
import { type Call, isOfRule, type Role } from './call.js'

/** Values of a record by column. */
type Row = Readonly<Record<string, unknown>>

/**
 * The roles of a caller for one record: for a passed one those of specialists in the other account, if they work on it.
 *
 * @param row the locked record: if its team and member are others by now, it may have been taken back
 */
export function callForRecord(
  call: Call,
  record: { readonly type: string; readonly id: number | null },
  row: Row | null,
): Call {
  const { passed } = call
  if (!passed || passed.type !== record.type || passed.id !== record.id) return call
  const isAssigned = [...passed.assignees].some(([column, id]) => Number(row?.[column]) === id)
  const roles = isAssigned ? WORKING.filter((role) => passed.roles.has(role)) : []
  return { ...call, roles: new Set(roles) }
}

/** Roles for creating a sub-record. Below a passed record: those of the caller's own account. */
export function callForPart(call: Call, owner: { readonly type: string; readonly id: number } | null): Call {
  const { passed } = call
  return passed && owner?.type === passed.type && owner.id === passed.id ? { ...call, roles: passed.roles } : call
}

/** The accounts whose records the account of the call reaches: its own, those that it trusts, and its directory. */
export function accountsReached({ account, trusted }: Pick<Call, 'account' | 'trusted'>): readonly string[] {
  return [account.id, ...trusted, ...(account.directoryAccountId ? [account.directoryAccountId] : [])]
}

/**
 * The accounts whose records the call may refer to. For a passed record they are those that both accounts reach: the other ones
 * that its account trusts are strangers to the caller. What rules set is as for all records of the account.
 */
export function accountsReferredTo(call: Call): readonly string[] {
  const { account, passed } = call
  const all = accountsReached(call)
  if (!passed || isOfRule(call)) return all
  const both = new Set([account.id, account.directoryAccountId, ...passed.reached])
  return all.filter((id) => both.has(id))
}

/** Roles of people who work on records that were passed to their account. */
const WORKING: readonly Role[] = ['specialist']
