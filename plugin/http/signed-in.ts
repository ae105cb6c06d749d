/** Who calls a route of the host, by the sign-in of the plugin. */
import type { Context as KoaContext } from 'koa'
import type { Callers } from '../access/people/callers.js'
import type { Call } from '../core/call.js'
import type { LocalApi } from '../operations/host/record-api.js'
import type { Context } from './contract.js'
import type { Caller, TokenLimits } from './endpoints/define-endpoint.js'
import { type CallerDeps, createHostRouteCaller } from './middleware/identify-caller.js'

/** A person, and the account that holds the person record. */
export interface CallerOfAccount extends Caller {
  /** Id of that account. */
  readonly accountId: string
}

/** A person who has called a route of the host. */
export interface SignedIn {
  /** Who it is, and the account that holds the person record. */
  readonly person: CallerOfAccount
  /** How the person signed in: `session` by that of a page (`POST /session`), `host` by your own. */
  readonly by: 'password' | 'token' | 'session' | 'host'
  /** Limits of a personal token or an OAuth client; null without a limited token. */
  readonly limits: TokenLimits | null
  /** Acts as the person, within the limits. @param account selects another account than that of the person */
  as(options?: { readonly account?: string }): LocalApi
}

/** Finds out who calls; null if nobody is signed in. */
export type FindSignedIn = (ctx: KoaContext) => Promise<SignedIn | null>

/** Dependencies of finding out. */
export interface SignedInDeps extends CallerDeps {
  readonly callers: Pick<Callers, 'callFor'>
  /** The API of the host's own code, for one caller. */
  readonly localApi: (callNow: () => Promise<Call>) => LocalApi
}

/** Creates the function. */
export function findSignedIn(deps: SignedInDeps): FindSignedIn {
  const callerOf = createHostRouteCaller(deps)
  return async (ctx) => {
    const identity = await callerOf(ctx as unknown as Context)
    if (!identity || identity.signedInWith === 'client') return null
    const { actor, signedInWith: by, token } = identity
    const { accountId, email, id, name } = actor
    return {
      person: { id, name, email, accountId },
      by,
      limits: token ? { readOnly: token.readOnly, recordTypes: token.recordTypes && [...token.recordTypes] } : null,
      as: ({ account } = {}) =>
        deps.localApi(() =>
          deps.callers.callFor(identity, {
            ...{ source: 'host', origin: 'host' },
            ...(account !== undefined && { accountId: account }),
          }),
        ),
    }
  }
}
