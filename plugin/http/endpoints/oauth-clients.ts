import { MAX_CLIENTS, type OAuthClients } from '../../operations/people/oauth-clients.js'
import type { Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { type OwnedKind, ownedByPeople, SHOWN } from './owned-by-people.js'

/** Dependencies of the endpoints. */
export interface OAuthClientDeps extends Pick<RouteDeps, 'baseUrl' | 'catalog'> {
  readonly oauthClients: OAuthClients
}

/** `/me/oauth_clients`: the OAuth clients that act as the caller; `/people/:id/oauth_clients`: those of others (behaviour: OAuth). */
export function oauthClients(deps: OAuthClientDeps): readonly Endpoint[] {
  return ownedByPeople(deps, deps.oauthClients, CLIENTS)
}

const { id, name, ...limits } = SHOWN
const CLIENTS: OwnedKind = {
  paths: {
    mine: '/me/oauth_clients',
    ofPerson: '/people/:id/oauth_clients',
    oneOfPerson: '/people/:id/oauth_clients/:client_number',
  },
  name: 'oauth_client',
  noun: 'an OAuth client',
  nouns: 'OAuth clients',
  short: 'client',
  secret: 'secret',
  title: 'OauthClient',
  properties: { id, name, client_id: { type: 'string' }, ...limits },
  secretProperty: { client_secret: { type: 'string', pattern: '^itsm_ocs_[0-9A-Za-z]{36}$' } },
  making: `It acts as you. The response shows its secret, this once. A person has at most ${MAX_CLIENTS} clients.`,
  revoked: 'Revoked; the client and its access tokens are refused from now on.',
}
