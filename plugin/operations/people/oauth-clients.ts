/** OAuth clients of people: /me/oauth_clients; and for administrators, /people/:id/oauth_clients (behaviour: OAuth). */
import type { Access } from '../../access/access.js'
import type { StoredClient } from '../../access/oauth/clients.js'
import type { Call } from '../../core/call.js'
import { Invalid } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import type { RecordType } from '../../schema/catalog.js'
import { type OwnedByPeople, ownedByPeople, type ShownLimited, shownLimited } from './owned-by-people.js'
import type { PeopleDeps } from './people-deps.js'
import { readClientInput } from './token-input.js'

/** A client as responses show it. */
export interface ShownClient extends ShownLimited {
  /** What programs send as `client_id`. */
  readonly client_id: string
}

/** A new client with its `client_secret`, which is shown this once. */
export type NewShownClient = ShownClient & { readonly client_secret: string }

/** Clients of people. Revoking one ends its access tokens. */
export type OAuthClients = OwnedByPeople<NewShownClient, ShownClient>

/** Maximum number of clients of a person. */
export const MAX_CLIENTS = 50

/** Creates the operations. */
export function createOAuthClients(
  deps: PeopleDeps,
  parts: Pick<Access, 'clients' | 'tokens'> & { readonly type: RecordType; readonly log: Log },
): OAuthClients {
  const { clients, tokens } = parts
  const shown = (call: Call, client: StoredClient): ShownClient => {
    const { id, name, ...limits } = shownLimited(deps, call, client)
    return { id, name, client_id: client.clientId, ...limits }
  }
  return ownedByPeople(deps, parts, {
    field: 'oauth_clients',
    noun: 'An OAuth client',
    shown,
    list: clients.list,
    readInput: (_, body) => readClientInput(deps.catalog, body),
    async add(inside, person, input) {
      const personId = Number(person['id'])
      const others = await clients.list(inside, personId)
      if (others.length >= MAX_CLIENTS) throw new Invalid([['oauth_clients', 'too_many', { max: MAX_CLIENTS }]])
      const { client, secret } = await clients.add(inside, { ...input, personId })
      return { stored: client, secret: { client_secret: secret } }
    },
    async remove(inside, { id }) {
      // The row first: it is locked while a token is made, and no other is made when it has gone.
      await clients.remove(inside, id)
      await tokens.revoke(inside, { clientId: id })
    },
    named: ({ clientId, name }) => ({ text: `${name} (${clientId})`, details: { clientId } }),
  })
}
