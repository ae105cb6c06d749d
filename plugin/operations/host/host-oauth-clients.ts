/** OAuth clients for the host's own code. */
import type { NewShownClient, OAuthClients, ShownClient } from '../people/oauth-clients.js'
import { type HostLimits, type HostOwned, type HostOwnedDeps, hostOwned, LIMIT_INPUTS } from './host-owned.js'

/** An OAuth client that the host makes for a person. */
export type HostOAuthClient = HostLimits

/** Functions of the host for OAuth clients, which act as their person, and sign in only with the option `oauth`. */
export type HostOAuthClients = HostOwned<HostOAuthClient, NewShownClient, ShownClient>

/** Dependencies of the clients of the host. */
export interface HostOAuthClientsDeps extends HostOwnedDeps {
  readonly oauthClients: OAuthClients
}

/** Prepares the functions. */
export function createHostOAuthClients(deps: HostOAuthClientsDeps): HostOAuthClients {
  return hostOwned<HostOAuthClient, NewShownClient, ShownClient>(deps, {
    place: 'oauthClients',
    noun: 'client',
    inputs: new Map(LIMIT_INPUTS),
    operations: deps.oauthClients,
  })
}
