/** Creates calls: the acting person, the account, roles, language and time zone. */
import { randomUUID } from 'node:crypto'
import {
  type Account,
  type Actor,
  AS_CALLER,
  asHost,
  asPlugin,
  type Call,
  type CallFacts,
  type CallToken,
  type Origin,
  type PassedRecord,
  type Role,
} from '../../core/call.js'
import type { CallSignal } from '../../core/call-signal.js'
import { type Clock, instantOf } from '../../core/clock.js'
import { Forbidden } from '../../core/errors.js'
import { accountsReached } from '../../core/passed-calls.js'
import { zoneOf } from '../../core/time/time-zones.js'
import { type Inside, isInHosts } from '../../storage/database/transaction.js'
import { DEFAULT_LANGUAGE, languageIn } from '../../words/languages.js'
import type { Accounts } from './accounts.js'
import type { People } from './people.js'

export interface CallOptions {
  /** The account to act in; default: that of the person record. */
  readonly accountId?: string
  /** The language that the caller sent; unknown ones are ignored. */
  readonly language?: string
  /** Default of the field source, at most 30 characters (behaviour: Writing). */
  readonly source: string
  readonly requestId?: string
  readonly origin?: Origin
  /** Cause of its changes, for the audit trail; default: that of the facts of the call. */
  readonly cause?: string
  /** Aborts when the time limit of the call has passed. */
  readonly signal?: CallSignal
  /** The transaction that the call is in. */
  readonly transaction?: object
}

/** A person, and the token that it signed in with if that may be limited. */
export interface Caller {
  readonly actor: Actor
  readonly token?: CallToken
}

export interface Callers {
  /**
   * A call of a person, or an anonymous one (null).
   *
   * @throws Forbidden for an account that is unknown or in which the person has no role (behaviour: Accounts)
   */
  callFor(identity: Caller | null, options: CallOptions): Promise<Call>
  /**
   * Moves a call to another account, within the same transaction. People of a directory account may register records in the
   * accounts that use the directory, without any role there.
   *
   * @returns null for an account that is unknown, or in which the caller may not register anything
   */
  callIn(call: Call, accountId: string): Promise<Call | null>
  /**
   * The call for a record of a trusted account that was passed to the account of the call: in the account of the record, without
   * the roles that the person may have there, because only the header selects an account. Null if the account does not exist.
   */
  callAt(call: Call, record: Pick<PassedRecord, 'type' | 'id' | 'assignees'>, accountId: string): Promise<Call | null>
  /** A call of the host's own code, regardless of permissions. @throws RangeError for an unknown account */
  hostCall(reason: string, accountId: string, inside?: Inside): Promise<Call>
  /** A call of the plugin itself. @throws RangeError for an unknown account */
  pluginCall(reason: string, accountId: string): Promise<Call>
}

/** Account of anonymous calls, which cannot access any records. */
export const NO_ACCOUNT: Account = {
  id: '',
  name: '',
  locale: DEFAULT_LANGUAGE,
  timeZone: 'UTC',
  organizationId: null,
  directoryAccountId: null,
}

export function createCallers(accounts: Accounts, people: People, clock: Clock): Callers {
  const build = async (
    { acts, bypassesPermissions, setsReadOnly, reason, cause }: CallFacts,
    actor: Actor | null,
    account: Account,
    roles: ReadonlySet<Role>,
    options: CallOptions,
  ): Promise<Call> => {
    // Written out, because each request makes one: spreading the facts and an optional signal takes several times as long.
    const call: { -readonly [K in keyof Call]: Call[K] } = {
      acts,
      bypassesPermissions,
      setsReadOnly,
      reason,
      cause: options.cause ?? cause,
      actor,
      // A copy: what is remembered must not change with what a host does to its call.
      roles: new Set(roles),
      account,
      trusted: account === NO_ACCOUNT ? [] : await accounts.trustedBy(account.id, options),
      language: languageFor(options.language, actor, account),
      zone: zoneOf(actor?.timeZone ?? account.timeZone) ?? 'UTC',
      origin: options.origin ?? 'api',
      source: options.source,
      now: instantOf(clock.now()),
      requestId: options.requestId ?? randomUUID(),
    }
    if (options.signal) call.signal = options.signal
    if (options.transaction) call.transaction = options.transaction
    return call
  }
  const withoutPerson = async (facts: CallFacts, accountId: string, origin: Origin, inside: Inside = {}) => {
    const account = await accounts.find(accountId, inside)
    if (!account) throw new RangeError(`There is no account '${accountId}'`)
    return build(facts, null, account, new Set(), { source: 'system', origin, ...inside })
  }

  return {
    async callFor(identity, options) {
      if (!identity) return build(AS_CALLER, null, NO_ACCOUNT, new Set(), options)
      const { actor } = identity
      const id = options.accountId ?? actor.accountId
      const [account, roles] = await Promise.all([accounts.find(id, options), people.rolesOf(actor.id, id, options)])
      if (!account || (id !== actor.accountId && roles.size === 0)) throw new Forbidden()
      const call = await build(AS_CALLER, actor, account, roles, options)
      return identity.token ? { ...call, token: identity.token } : call
    },
    async callIn(call, accountId) {
      if (accountId === call.account.id) return call
      const { actor, bypassesPermissions } = call
      const account = await accounts.find(accountId, call)
      if (!account) return null
      const roles = actor ? await people.rolesOf(actor.id, accountId, isInHosts(call) ? call : undefined) : new Set<Role>()
      const homes = [account.id, account.directoryAccountId]
      if (!bypassesPermissions && roles.size === 0 && !(actor && homes.includes(actor.accountId))) return null
      return { ...call, account, roles: new Set(roles), trusted: await accounts.trustedBy(accountId, call) }
    },
    async callAt(call, record, accountId) {
      const account = await accounts.find(accountId, call)
      if (!account) return null
      const passed = { ...record, accountId: call.account.id, roles: call.roles, reached: accountsReached(call) }
      return { ...call, account, roles: new Set(), trusted: await accounts.trustedBy(accountId, call), passed }
    },
    hostCall: (reason, accountId, inside) => withoutPerson(asHost(reason), accountId, 'host', inside),
    pluginCall: (reason, accountId) => withoutPerson(asPlugin(reason), accountId, 'job'),
  }
}

/** The first known language: that of the call, the person, the account. */
function languageFor(wished: string | undefined, actor: Actor | null, account: Account): string {
  return languageIn(wished) ?? languageIn(actor?.locale) ?? languageIn(account.locale) ?? DEFAULT_LANGUAGE
}
