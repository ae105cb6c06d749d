/** OAuth 2 for programs: the client credentials grant (RFC 6749, 4.4). See behaviour: OAuth. */
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { Limits } from '../tokens/limited-rows.js'
import { FEED } from '../tokens/token-limits.js'
import type { Tokens } from '../tokens/tokens.js'
import { clientSignIn, type SignInClient } from './client-sign-in.js'
import type { Clients, StoredClient } from './clients.js'
import { narrowedBy, scopeOf } from './scopes.js'

/** An access token for a client. */
export interface AccessToken {
  readonly text: string
  /** Whole seconds for which it works. */
  readonly expiresIn: number
  /** Scopes in the form of the RFC; null for a token without limits. */
  readonly scope: string | null
}

export interface OAuth {
  readonly signIn: SignInClient
  /** The limits of the client, narrowed by scopes. Null if a scope is unknown, or more than the client has. */
  narrow(client: StoredClient, scopes: readonly string[] | null): Limits | null
  /** Makes an access token. Null if the client has been revoked in the meantime. */
  issue(call: Call, client: StoredClient, limits: Limits): Promise<AccessToken | null>
}

/** Dependencies of OAuth. */
export interface OAuthDeps {
  readonly storage: Storage
  readonly catalog: Pick<Catalog, 'types'>
  readonly clock: Clock
  readonly clients: Clients
  readonly tokens: Pick<Tokens, 'issue' | 'list' | 'revoke'>
  readonly tokenLifetimeMs: number
  /** Maximum number of wrong secrets that one address may send in a quarter of an hour. */
  readonly failuresPerAddress: number
}

/** Maximum number of stored tokens of a client. A client that gets one for each of its calls only needs the last ones. */
const MAX_TOKENS = 100

/** Assembles OAuth. Does no I/O. */
export function createOAuth(deps: OAuthDeps): OAuth {
  const { storage, catalog, clients, clock, tokens, tokenLifetimeMs } = deps
  return {
    signIn: clientSignIn(clients, deps.failuresPerAddress),
    // Sub-records follow the records that they belong to.
    narrow: (client, scopes) =>
      narrowedBy(scopes, client, (name) => name === FEED || catalog.types.get(name)?.partOf.length === 0),
    issue: (call, { id, name, personId }, limits) =>
      inTransaction(storage, call, async (inside) => {
        // Otherwise a token could be added after those of a revoked client have been deleted.
        if (!(await clients.lock(inside, id))) return null
        const tooMany = (await tokens.list(inside, { clientId: id })).slice(MAX_TOKENS - 1)
        for (const old of tooMany) await tokens.revoke(inside, { id: old.id })
        const expiresAt = new Date(clock.now().getTime() + tokenLifetimeMs)
        const { readOnly, recordTypes } = limits
        const token = { kind: 'oauth', clientId: id, personId, name, readOnly, recordTypes, expiresAt } as const
        const { text } = await tokens.issue(inside, token)
        return { text, expiresIn: Math.floor(tokenLifetimeMs / 1_000), scope: scopeOf(limits) }
      }),
  }
}
