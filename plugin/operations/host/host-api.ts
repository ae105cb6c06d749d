/** Records, roles and credentials for the host's own code. */
import type { Access } from '../../access/access.js'
import type { Accounts } from '../../access/people/accounts.js'
import { accountNamed, type FindById, type NamedPerson, personNamed } from '../../access/sign-in/host-people.js'
import { type HostCredentialStore, hostCredentials } from '../../access/tokens/host-credentials.js'
import { isBlank } from '../../core/text/blank.js'
import type { AskHost } from '../../core/waiting/ask-host.js'
import type { AnyRecords } from '../../schema/types/typed-records.js'
import { createHostTransactions } from '../../storage/database/host-transaction.js'
import type { Inside } from '../../storage/database/transaction.js'
import type { CredentialChanges } from '../people/credential-changes.js'
import type { OAuthClients } from '../people/oauth-clients.js'
import type { Permissions } from '../people/permissions.js'
import type { PersonalTokens } from '../people/personal-tokens.js'
import { actingAlone, actingWithin, type CallNow } from './acting.js'
import { type ActingOptions, actingOptions, type PersonOptions } from './acting-options.js'
import { enrolled } from './enrolled.js'
import { createGrant, type GrantRoles } from './grant.js'
import { createHostOAuthClients, type HostOAuthClients } from './host-oauth-clients.js'
import { createHostTokens, type HostTokens } from './host-tokens.js'
import { createLocalApi, type LocalDeps } from './local-api.js'
import { createPutAccount, type PutAccountDeps } from './put-account.js'
import type { LocalApi } from './record-api.js'

/** Dependencies of the host API. */
export interface HostApiDeps extends LocalDeps, Pick<PutAccountDeps, 'storage'> {
  readonly permissions: Permissions
  readonly credentialChanges: Pick<CredentialChanges, 'setPassword'>
  readonly personalTokens: PersonalTokens
  readonly oauthClients: OAuthClients
  readonly access: Pick<Access, 'accounts' | 'people' | 'callers' | 'credentials'>
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  /** The host's lookup of its own ids. */
  readonly byId: FindById | undefined
}

/** Functions for the host's own code. */
export interface HostApi<out T extends object = AnyRecords> {
  /** Accounts and their trust relations, for the administration of the installation. */
  readonly accounts: Pick<Accounts, 'put' | 'trust' | 'distrust' | 'find'>
  /** Passwords and API tokens of people with credentials in the plugin. */
  readonly credentials: HostCredentialStore
  /** Personal tokens of people, which may be limited and expire. */
  readonly tokens: HostTokens
  /** OAuth clients of people. */
  readonly oauthClients: HostOAuthClients
  /** Gives a person roles in an account, regardless of permissions: for the first administrator, and for seeds. */
  readonly grant: GrantRoles
  /**
   * Acts as a person: by id of the person record, by e-mail address, by source and source ID of the record, or by the host's own
   * id if there is `people.byId`, which is asked first. If several accounts have the address, `account` selects one.
   *
   * @throws TypeError for what cannot be a person or an account; operations throw a RangeError if the person does not exist
   */
  as(person: NamedPerson, options?: PersonOptions): LocalApi<T>
  /** Acts as the system, regardless of permissions. The reason documents the call for readers of the code. @throws TypeError */
  asSystem(reason: string, account: string, options?: ActingOptions): LocalApi<T>
}

/** Prepares the host API. Each operation creates a call of its own, so that the person's roles are current when it runs. */
export function createHostApi(deps: HostApiDeps): HostApi {
  const { ask, byId, permissions, storage } = deps
  const { accounts, callers, credentials, people } = deps.access
  const hostTransactions = createHostTransactions(storage, deps.log)
  const localApi = (place: string, callNow: CallNow, { strict, transaction }: ActingOptions) => {
    if (!transaction) return createLocalApi(deps, actingAlone(callNow), strict)
    const api = createLocalApi(deps, actingWithin(hostTransactions, place, transaction, callNow), strict)
    return enrolled(api, (operation) => hostTransactions.enrol(transaction, operation))
  }
  return {
    accounts: { ...accounts, put: createPutAccount(deps) },
    credentials: hostCredentials({ show: credentials.show, setPassword: deps.credentialChanges.setPassword }, people),
    tokens: createHostTokens({ ...deps, people, callers }),
    oauthClients: createHostOAuthClients({ ...deps, people, callers }),
    grant: createGrant({ people, accounts, callers, permissions }),
    as(key, options) {
      const chosen = actingOptions('as', ['account', 'strict', 'transaction'], options)
      const { account } = chosen
      const place = account === undefined ? {} : { accountId: account }
      const person = personNamed({ people, ask, byId }, key, account)
      const callOptions = { source: 'host', origin: 'host', ...place } as const
      const callNow = async (inside?: Inside) => callers.callFor({ actor: await person(inside) }, { ...callOptions, ...inside })
      return localApi('as', callNow, chosen)
    },
    asSystem(reason, account, options) {
      if (typeof reason !== 'string' || isBlank(reason))
        throw new TypeError('asSystem: the reason must be a text that is not empty')
      accountNamed('asSystem', account)
      const chosen = actingOptions('asSystem', ['strict', 'transaction'], options)
      const callNow = (inside?: Inside) => callers.hostCall(reason, account, inside)
      return localApi('asSystem', callNow, chosen)
    },
  }
}
