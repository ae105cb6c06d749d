/** OAuth clients of people: /me/oauth_clients; and for administrators, /people/:id/oauth_clients (behaviour: OAuth). */
import type { Access } from '../access/access.js'
import type { StoredClient } from '../access/oauth/clients.js'
import type { Call } from '../core/call.js'
import { instantOf } from '../core/clock.js'
import { Invalid, NotFound } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { RecordType } from '../schema/compile/compile.js'
import { afterCommit, inTransaction } from '../storage/transaction.js'
import type { OperationDeps } from './deps.js'
import { addLinesOf } from './save/audit.js'
import { type LimitsInput, readClientInput } from './token-input.js'
import { tokenOwners } from './token-owners.js'

/** A client as responses show it. */
export interface ShownClient {
  readonly id: number
  readonly name: string
  readonly client_id: string
  readonly read_only: boolean
  /** Null for all. */
  readonly record_types: readonly string[] | null
  readonly last_used_at: string | null
  readonly created_at: string
}

/** A new client with its secret, which cannot be shown again. */
export type NewShownClient = ShownClient & { readonly client_secret: string }

/**
 * Clients of the caller, and with `personId` those of another person, for administrators of that person's account.
 *
 * All functions throw Forbidden for callers who may not do this, and NotFound for a client or person that they do not see.
 */
export interface OAuthClients {
  /** Latest first. */
  list(call: Call, personId?: number): Promise<readonly ShownClient[]>
  read(call: Call, id: number): Promise<ShownClient>
  /** @throws Invalid for a wrong body, and above the maximum number */
  create(call: Call, body: Readonly<Record<string, unknown>>): Promise<NewShownClient>
  /** Makes a client of a person on behalf of the host. @throws NotFound for an unknown person, Invalid above the maximum number */
  createFor(call: Call, personId: number, input: LimitsInput): Promise<NewShownClient>
  /** Revokes a client and its access tokens for good. */
  revoke(call: Call, id: number, personId?: number): Promise<void>
}

/** Maximum number of clients of a person. */
export const MAX_CLIENTS = 50

/** Creates the operations. */
export function createOAuthClients(
  deps: OperationDeps,
  parts: Pick<Access, 'clients' | 'tokens'> & { readonly type: RecordType; readonly log: Log },
): OAuthClients {
  const { clients, log, tokens, type } = parts
  const { personOf, rowOf } = tokenOwners(deps, type)

  const shown = (call: Call, client: StoredClient): ShownClient => {
    const format = (date: Date) => deps.formatInstant(instantOf(date), call.zone)
    return {
      ...{ id: client.id, name: client.name, client_id: client.clientId },
      ...{ read_only: client.readOnly, record_types: client.recordTypes },
      last_used_at: client.lastUsedAt && format(client.lastUsedAt),
      created_at: format(client.createdAt),
    }
  }
  const clientOf = async (call: Call, personId: number, id: number): Promise<StoredClient> => {
    const client = (await clients.list(call, personId)).find((one) => one.id === id)
    if (!client) throw new NotFound()
    return client
  }
  /** Changes the clients of a person: one call at a time, with a line in the audit trail of the person. */
  const change = <T extends { readonly client: StoredClient }>(
    call: Call,
    personId: number,
    isNew: boolean,
    work: (inside: Call) => Promise<T>,
  ): Promise<T> =>
    inTransaction(deps.storage, call, async (inside) => {
      const row = await rowOf(inside, personId)
      const changed = await work(inside)
      const { clientId, name } = changed.client
      const text = `${name} (${clientId})`
      await addLinesOf(deps, inside, type, [row], 'update', { oauth_clients: isNew ? [null, text] : [text, null] })
      const details = { personId, clientId, byPersonId: call.actor?.id ?? null, requestId: call.requestId }
      afterCommit(inside, () => log.info(details, `An OAuth client was ${isNew ? 'made' : 'revoked'}`))
      return changed
    })
  const make = async (call: Call, personId: number, input: LimitsInput): Promise<NewShownClient> => {
    const { client, secret } = await change(call, personId, true, async (inside) => {
      const others = await clients.list(inside, personId)
      if (others.length >= MAX_CLIENTS) throw new Invalid([['oauth_clients', 'too_many', { max: MAX_CLIENTS }]])
      return clients.add(inside, { ...input, personId })
    })
    return { ...shown(call, client), client_secret: secret }
  }

  return {
    async list(call, personId) {
      const found = await clients.list(call, await personOf(call, personId, 'read'))
      return found.map((client) => shown(call, client))
    },
    read: async (call, id) => shown(call, await clientOf(call, await personOf(call, undefined, 'read'), id)),
    async create(call, body) {
      const personId = await personOf(call, undefined, 'update')
      return make(call, personId, readClientInput(deps.catalog, body))
    },
    createFor: make,
    async revoke(call, id, personId) {
      const owner = await personOf(call, personId, 'update')
      await change(call, owner, false, async (inside) => {
        const client = await clientOf(inside, owner, id)
        // The row first: it is locked while a token is made, and no other is made when it has gone.
        await clients.remove(inside, id)
        await tokens.revoke(inside, { clientId: id })
        return { client }
      })
    },
  }
}
