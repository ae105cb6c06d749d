/**
 * Limits of a token: reading only, and certain record types. They hold for all that the caller asks for, whatever the host
 * allows; not for what rules do on behalf of the call.
 */
import { type Call, type CallToken, hasRole } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { SUBSCRIPTION } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'

/** True if the token of the call opens records of the type. Sub-records follow the types that they belong to. */
export function opensType(call: Call, type: Pick<RecordType, 'name'>): boolean {
  const types = call.token?.recordTypes
  return !types || call.bypassesPermissions || types.has(type.name)
}

/**
 * True if the token of the call allows an action.
 *
 * @param row for a sub-record: with the type of its owner
 */
export function allowsAction(call: Call, action: string, type: RecordType, row: Row | null): boolean {
  const { token } = call
  if (!token || call.bypassesPermissions) return true
  if (action !== 'read' && token.readOnly) return false
  const types = token.recordTypes
  if (!types) return true
  // A subscription reports records of other types, also when the token has ended.
  if (action !== 'read' && type.name === SUBSCRIPTION) return false
  const owner = row?.['owner_type']
  return types.has(type.name) && (typeof owner !== 'string' || types.has(owner))
}

/** The scope that opens the feed of messages. Tokens and clients have it among the names of record types, and no type has this name. */
export const FEED = 'feed'

/** True if the token of the caller opens nothing but the feed. */
export function opensOnlyFeed(caller: { readonly token?: CallToken } | null): boolean {
  const types = caller?.token?.recordTypes
  return types?.size === 1 && types.has(FEED)
}

/**
 * The call with which the feed is read: with the scope alone, it has the messages of all types; beside others, only theirs.
 *
 * @throws Forbidden unless the token has the scope, or is not limited to types and the caller administers the account
 */
export function callForFeed(call: Call): Call {
  const types = call.token?.recordTypes
  if (types ? !types.has(FEED) : !hasRole(call, 'account_administrator')) throw new Forbidden()
  return opensOnlyFeed(call) ? withoutLimits(call) : call
}

/** Refuses an action that the token of the call does not allow on records of the type. @throws Forbidden */
export function mustAllow(call: Call, action: 'read' | 'update', type: RecordType): void {
  if (!allowsAction(call, action, type, null)) throw new Forbidden()
}

/** True if the caller signed in with a token that may only read. */
export function isReadOnly(caller: { readonly token?: CallToken } | null): boolean {
  return caller?.token?.readOnly === true
}

/**
 * Refuses callers with a token that can be limited: they must not get more than they have, for example another token.
 *
 * @throws Forbidden
 */
export function mustBeUnlimited(call: Call): void {
  if (call.token) throw new Forbidden()
}

/** Returns the call without the limits of its token, for what a caller may do with any token: reading its own record. */
export function withoutLimits(call: Call): Call {
  const { token: _, ...rest } = call
  return rest
}

/** The named types and the types of their sub-records, at any depth. */
export function withSubRecords(catalog: Catalog, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names)
  // A set that grows while it is walked: what is added is visited, too.
  for (const name of found) {
    for (const type of catalog.types.values()) if (type.partOf.includes(name)) found.add(type.name)
  }
  return found
}
