/**
 * A call: who acts, for which account, in which language, from where, at what time, in which transaction. Every function
 * that needs any of this takes a `Call` as its first argument. `ctx` is Koa's and appears only under `http/`.
 */
import type { Account, Actor } from './call-parties.js'
import type { CallSignal } from './call-signal.js'
import type { Instant } from './clock.js'

export type { Account, Actor } from './call-parties.js'

/** Role ids (behaviour: Roles). The account owner implies the account administrator. */
export const ROLES = [
  'account_owner',
  'account_administrator',
  'auditor',
  'specialist',
  'service_desk_analyst',
  'service_desk_manager',
  'problem_manager',
  'change_manager',
  'release_manager',
  'project_manager',
  'service_level_manager',
  'configuration_manager',
  'knowledge_manager',
  'key_contact',
  'financial_manager',
] as const
/** The id of a role. */
export type Role = (typeof ROLES)[number]

/** Kind of a token: made by its person, or by an OAuth client. */
export type TokenKind = 'personal' | 'oauth'

/** Token that the caller signed in with, by its `id`, `kind` and `name`, and its limits. */
export interface CallToken {
  readonly id: number
  readonly kind: TokenKind
  /** The client that got the token; null for a personal one. */
  readonly clientId: number | null
  readonly name: string
  /** True if the call may only read. */
  readonly readOnly: boolean
  /** Names of the record types that the call may use, those of their sub-records included; null for all of them. */
  readonly recordTypes: ReadonlySet<string> | null
}

/** Ways on which changes come in. */
export const ORIGINS = ['api', 'import', 'event', 'job', 'host'] as const
/** The way on which a change came in. */
export type Origin = (typeof ORIGINS)[number]

/** Acting party: the caller, signed in or not; the plugin itself (timers); the host's own code (`asSystem`). */
export type Acting = 'caller' | 'plugin' | 'host'

/** Three independent facts of a call, and the reason for the second one. */
export interface CallFacts {
  /** Acting party. What rules, links and sub-records save is done for the caller whose save they follow. */
  readonly acts: Acting
  /** True when roles, grants and the scope do not limit the call. */
  readonly bypassesPermissions: boolean
  /** True when the call may set read-only fields, as rules and timers do. */
  readonly setsReadOnly: boolean
  /** Reason why the permissions are bypassed: `rule of task`, or the reason passed to `asSystem`; null if they apply. */
  readonly reason: string | null
  /** What makes changes, for the audit trail; null for what the caller itself has sent. */
  readonly cause: string | null
}

/** A record that has led to a change of another one, by its `type` and `id`. */
export interface CausingRecord {
  readonly type: string
  readonly id: number
}

/** One operation with everything around it: who acts, for which account, in which language, at what time. */
export interface Call extends CallFacts {
  /** The acting person; null when the caller has not signed in, and when no person acts. */
  readonly actor: Actor | null
  /** Id of the person who has set off what the system does; that person is in the audit trail, and has no part in anything else. */
  readonly setOffBy?: number
  /** Roles of the actor in `account`. */
  readonly roles: ReadonlySet<Role>
  /** The limited token of the caller; absent with a password, the API token or the session of the host. */
  readonly token?: CallToken
  /** The account that the call operates on. */
  readonly account: Account
  /** Accounts that `account` has a trust relation with; their records may be linked. */
  readonly trusted: readonly string[]
  /** Language for labels and messages, an id of the language enumeration. */
  readonly language: string
  /** IANA zone in which datetimes without offset are read and all datetimes are written. */
  readonly zone: string
  /** The way on which it came in. */
  readonly origin: Origin
  /** Default for the field source of records that this call creates (behaviour: Writing). */
  readonly source: string
  /** The time at which the call started. */
  readonly now: Instant
  /** The transaction that the call is in. Opaque: only the plugin looks inside. */
  readonly transaction?: object
  /** Aborts when the time of the call is over: nothing is asked of the database from then on. */
  readonly signal?: CallSignal
  /** As in the log, and in the header `X-Request-Id`. */
  readonly requestId: string
  /** Set while the call works on a record that a trusted account has passed to the person's account. */
  readonly passed?: PassedRecord
  /** The record whose save or link led to this call; absent for calls of callers. */
  readonly causedBy?: CausingRecord | null
  /** True for sub-records that are saved with their record, whose audit line says so. */
  readonly isWithOwner?: boolean
  /** The import of the call, if it can be undone: what it does to records without audit lines is then noted. */
  readonly importId?: number
  /** True for records that an import brings with their past: their times are given, and nothing begins with them. */
  readonly isHistory?: boolean
}

/** A record of the account of the call, by its `type` and `id`, which the person sees from another account (behaviour: Passed records). */
export interface PassedRecord {
  /** Name of the record type. */
  readonly type: string
  readonly id: number
  /** The columns of its team and member that named that account when the record was found, with their ids. */
  readonly assignees: ReadonlyMap<string, number>
  /** The account in which the person acts. */
  readonly accountId: string
  /** Roles of the person in that account. */
  readonly roles: ReadonlySet<Role>
  /** The accounts whose records can be referred to there: that account itself, its directory, and those that it trusts. */
  readonly reached: readonly string[]
}

/** Facts of a caller's own calls: permissions apply, and read-only fields cannot be set. */
export const AS_CALLER: CallFacts = {
  acts: 'caller',
  bypassesPermissions: false,
  setsReadOnly: false,
  reason: null,
  cause: null,
}

/** Facts of the calls of `asSystem`: past all permissions, but not with read-only fields. */
export function asHost(reason: string): CallFacts {
  return { acts: 'host', bypassesPermissions: true, setsReadOnly: false, reason, cause: `host: ${reason}` }
}

/** Facts of a call of the plugin itself, without a request. */
export function asPlugin(reason: string): CallFacts {
  return { acts: 'plugin', bypassesPermissions: true, setsReadOnly: true, reason, cause: reason }
}

/** Call with which the plugin stores what follows from a call: for the same actor, who may not do this by itself. */
export function followingCall(call: Call, reason: string): Call {
  const facts = { bypassesPermissions: true, setsReadOnly: true, reason, cause: reason }
  return { ...call, ...facts, isWithOwner: false, isHistory: false }
}

/** Call with which a rule saves and removes other records. @param causedBy the record for which it does so, if it is one */
export function ruleCall(call: Call, type: string, rule: string, causedBy: CausingRecord | null): Call {
  return { ...followingCall(call, reasonOf(type, rule)), isHistory: call.isHistory === true, causedBy }
}

/** Call that sees what account administrators of its account see, whoever they are: what is delivered is up to them. */
export function administratorsCall(call: Call): Call {
  return { ...call, ...AS_CALLER, acts: 'plugin', actor: null, roles: new Set(['account_administrator'] as const) }
}

/** True for what this rule of the record type saves. */
export function isSavedBy(call: Call, type: string, rule: string): boolean {
  return isOfRule(call) && call.reason === reasonOf(type, rule)
}

function reasonOf(type: string, rule: string): string {
  return `rule ${rule} of ${type}`
}

/** True for what rules, settling and timers save; the caller has not chosen the values. */
export function isOfRule(call: Call): boolean {
  return call.bypassesPermissions && call.setsReadOnly
}

const SETTLING_OF = 'settling of '

/** Call with which settling reads and saves the records that an owner decides about. */
export function settlingCall(call: Call, type: string): Call {
  return followingCall(call, `${SETTLING_OF}${type}`)
}

/** True for what settling saves: it follows from stored records, and no caller could have sent something else. */
export function isOfSettling(call: Call): boolean {
  return isOfRule(call) && (call.reason ?? '').startsWith(SETTLING_OF)
}

/** Call that sets the flag of a removed record: who may remove it may not be who may change it. */
export function removalCall(call: Call, type: string): Call {
  return followingCall(call, `removal of ${type}`)
}

/** Start of the reason of calls that save a note that came as a field of a record; the name of its type follows. */
export const NOTE_OF = 'note of '

/** Call that saves a note that came as a field of a record; the actor may not be allowed to post notes. */
export function noteCall(call: Call, type: string): Call {
  return pastPermissions(call, `${NOTE_OF}${type}`)
}

/** Call that changes the links of a record, when the grants of the record allow it. */
export function linksCall(call: Call, { type, id }: CausingRecord): Call {
  return { ...pastPermissions(call, `links of ${type}`), causedBy: { type, id } }
}

/** Call that saves the sub-records that came with their record: who may change the record may change them. */
export function partsCall(call: Call, type: string): Call {
  return { ...pastPermissions(call, `parts of ${type}`), isWithOwner: true }
}

/** Call that changes single sub-records as if the caller had asked for each, whatever the call may set in their record. */
export function singlePartCall(call: Call): Call {
  return { ...call, setsReadOnly: false, isWithOwner: true }
}

/** True when the caller has any of these roles in the call's account, or the permissions are bypassed. */
export function hasRole(call: Call, ...roles: readonly Role[]): boolean {
  return call.bypassesPermissions || roles.some((role) => call.roles.has(role))
}

function pastPermissions(call: Call, reason: string): Call {
  return { ...call, bypassesPermissions: true, setsReadOnly: false, reason, cause: reason, isWithOwner: false }
}
