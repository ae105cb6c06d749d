/** OAuth clients for the host's own code. */
import type { Catalog } from '../../schema/compile/compile.js'
import type { NewShownClient, OAuthClients, ShownClient } from '../people/oauth-clients.js'
import { readClientInput } from '../people/token-input.js'
import { type HostLimits, type HostOwned, type HostOwnedDeps, hostOwned, LIMIT_INPUTS } from './host-owned.js'

/** An OAuth client that the host makes for a person. */
export type HostOAuthClient = HostLimits

/** Functions of the host for OAuth clients, which act as their person, and sign in only with the option `oauth`. */
export type HostOAuthClients = HostOwned<HostOAuthClient, NewShownClient, ShownClient>

/** Dependencies of the clients of the host. */
export interface HostOAuthClientsDeps extends HostOwnedDeps {
  readonly catalog: Catalog
  readonly oauthClients: OAuthClients
}

/** Prepares the functions. */
export function createHostOAuthClients(deps: HostOAuthClientsDeps): HostOAuthClients {
  const { catalog, oauthClients } = deps
  return hostOwned<HostOAuthClient, NewShownClient, ShownClient>(deps, {
    ...{ place: 'oauthClients', noun: 'client', inputs: new Map(LIMIT_INPUTS) },
    create: (call, personId, body) => oauthClients.createFor(call, personId, readClientInput(catalog, body)),
    list: oauthClients.list,
    revoke: oauthClients.revoke,
  })
}
