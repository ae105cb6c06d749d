/** OAuth clients for the host's own code. */
import type { Catalog } from '../schema/compile/compile.js'
import { type HostOwnedDeps, hostOwned } from './host-owned.js'
import type { NewShownClient, OAuthClients, ShownClient } from './oauth-clients.js'
import { readClientInput } from './token-input.js'

/** An OAuth client that the host makes for a person. */
export interface HostOAuthClient {
  /** At most 128 characters. */
  readonly name: string
  /** Default: false. */
  readonly readOnly?: boolean
  /** Names of record types; default: all. */
  readonly recordTypes?: readonly string[]
}

/**
 * Functions of the host for OAuth clients, which sign in only with the option `oauth`. Each throws a TypeError or a RangeError for
 * wrong arguments and unknown people.
 */
export interface HostOAuthClients {
  /** Makes a client that acts as the person; `client_secret` of the result cannot be read again. */
  create(personId: number, client: HostOAuthClient): Promise<NewShownClient>
  list(personId: number): Promise<readonly ShownClient[]>
  revoke(personId: number, clientId: number): Promise<void>
}

/** Dependencies of the clients of the host. */
export interface HostOAuthClientsDeps extends HostOwnedDeps {
  readonly catalog: Catalog
  readonly oauthClients: OAuthClients
}

/** Names in {@link HostOAuthClient}, and those that the API uses. */
const INPUTS = new Map([
  ['name', 'name'],
  ['readOnly', 'read_only'],
  ['recordTypes', 'record_types'],
])

/** Prepares the functions. */
export function createHostOAuthClients(deps: HostOAuthClientsDeps): HostOAuthClients {
  const { catalog, oauthClients } = deps
  return hostOwned<HostOAuthClient, NewShownClient, ShownClient>(deps, {
    ...{ place: 'oauthClients', noun: 'client', inputs: INPUTS },
    create: (call, personId, body) => oauthClients.createFor(call, personId, readClientInput(catalog, body)),
    list: oauthClients.list,
    revoke: oauthClients.revoke,
  })
}
