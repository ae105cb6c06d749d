/** The options that are tables of functions, by names of their own: files of a host say what they export with them. Types only. */
import type { ScopeHook } from '../access/sight/ask-scope.js'
import type { Authorize } from '../access/sight/decide.js'
import type { FindById } from '../access/sign-in/host-people.js'
import type { HostPerson, Provision } from '../access/sign-in/recognize-person.js'
import type { FindByCredentials } from '../access/sign-in/sign-in-sources.js'
import type { Listener } from '../events/name-listeners.js'
import type { Context } from '../http/contract.js'
import type { BeforeHook, InTransactionHook } from '../operations/save/save-deps.js'
import type { ByType } from './by-type.js'

/** Finds the person who is signed in by the host's own session, from the context of Koa; null if nobody is. */
export type FindBySession = (ctx: Context) => Promise<HostPerson | null>

/**
 * The option `people`: functions that find the people who call.
 *
 * ```ts
 * import type { PeopleHooks } from 'koa-itsm'
 *
 * export const people: PeopleHooks = {
 *   signedIn: async (ctx) => (ctx.get('X-User') === '' ? null : { email: ctx.get('X-User'), account: 'acme' }),
 * }
 * ```
 */
export interface PeopleHooks {
  /** For calls with credentials. */
  readonly byCredentials?: FindByCredentials
  /** For calls without credentials, by the session of the host. */
  readonly signedIn?: FindBySession
  /** For addresses that no person has. */
  readonly provision?: Provision
  /** For `itsm.as('…')`. */
  readonly byId?: FindById
}

/** The option `before`: hooks by `<type>.save` and `<type>.remove`. */
export type BeforeHooks = { readonly [name: string]: readonly BeforeHook[] }

/** The option `inTransaction`: hooks by `<type>.save` and `<type>.remove`. */
export type InTransactionHooks = { readonly [name: string]: readonly InTransactionHook[] }

/** The option `on`: listeners by event, `request.create`. */
export type Listeners = { readonly [event: string]: readonly Listener[] }

/** The option `authorize`: a hook for all record types, or hooks by type. */
export type AuthorizeHooks = ByType<Authorize>

/** The option `scope`: a hook for all record types, or hooks by type. */
export type ScopeHooks = ByType<ScopeHook>

/** The option `accountAddress`: the URL of an account in the user interface of the host. */
export type AccountAddress = (accountId: string) => string
