/**
 * A call: who acts, for which account, in which language, from where, at what time, in which transaction. Every function
 * that needs any of this takes a `Call` as its first argument. `ctx` is Koa's and appears only under `http/`.
 */
import type { Moment } from './clock.js'

/** Role ids, gaps 2.4. The account owner implies the account administrator. */
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
export type Role = (typeof ROLES)[number]

/** An account as calls know it. `id` is a sub-domain label: lower-case letters, digits, hyphens (gaps 2.7). */
export interface Account {
  readonly id: string
  readonly name: string
  /** Language of the account, an id of the language enumeration. */
  readonly locale: string
  /** A name of the time_zone enumeration. */
  readonly timeZone: string
  /** The account's own organization; its tree is "internal". */
  readonly organizationId: number | null
  /** The directory account of this account, when it is a support domain of one. */
  readonly directoryAccountId: string | null
  /** Time entries of this date, `2026-10-31`, and of earlier ones change only as corrections; null when all may change. */
  readonly timeEntriesLockedUntil?: string | null
}

/** The person that acts, reduced to what every call needs. */
export interface Actor {
  readonly id: number
  readonly name: string
  readonly email: string
  /** The account that holds the person record. */
  readonly accountId: string
  readonly locale: string | null
  readonly timeZone: string | null
  readonly organizationId: number | null
}

/** Where a change comes from. */
export type Origin = 'api' | 'import' | 'event' | 'job' | 'host'

export interface Call {
  /** Who acts; null for the service itself (timers, `asSystem`). */
  readonly actor: Actor | null
  /** Roles of the actor in `account`. */
  readonly roles: ReadonlySet<Role>
  /** The account that the call operates on. */
  readonly account: Account
  /** Accounts that `account` has a trust relation with; their records may be linked. */
  readonly trusted: readonly string[]
  /** Language for labels and messages, an id of the language enumeration. */
  readonly language: string
  /** IANA zone in which datetimes without offset are read and all datetimes are written. */
  readonly zone: string
  readonly origin: Origin
  /** Default for the field source of records that this call creates (gaps 1.14). */
  readonly source: string
  /** The time at which the call started. */
  readonly now: Moment
  /** Why the permissions are bypassed; only calls made by `asSystem` have it. */
  readonly systemReason?: string
  /** The transaction that the call is in; only `storage/transaction.ts` looks inside. */
  readonly transaction?: object
  /** Aborts when the time of the call is over: nothing is asked of the database from then on. */
  readonly signal?: AbortSignal
  readonly requestId: string
}

/** True when the caller has any of these roles in the call's account, or acts as the system. */
export function hasRole(call: Call, ...roles: readonly Role[]): boolean {
  return call.systemReason !== undefined || roles.some((role) => call.roles.has(role))
}
