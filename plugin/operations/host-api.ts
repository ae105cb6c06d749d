/** Records, roles and credentials for the host's own code. */
import type { Access } from '../access/access.js'
import { type HostCredentialStore, hostCredentials } from '../access/host-credentials.js'
import { accountNamed, type ById, type NamedPerson, personNamed, placeNamed } from '../access/host-people.js'
import type { AskHost } from '../core/ask-host.js'
import { isBlank } from '../core/blank.js'
import { createGrant, type GrantRoles } from './grant.js'
import { createLocalApi, type LocalApi, type LocalDeps } from './local-api.js'
import type { Permissions } from './permissions.js'

/** Dependencies of what the host's own code calls. */
export interface HostApiDeps extends LocalDeps {
  readonly permissions: Permissions
  readonly access: Pick<Access, 'accounts' | 'people' | 'callers' | 'credentials'>
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  /** The host's lookup of its own ids. */
  readonly byId: ById | undefined
}

/** What the host's own code calls. */
export interface HostApi {
  /** Passwords and API tokens of our own people. */
  readonly credentials: HostCredentialStore
  /** Gives a person roles in an account, past all permissions: for the first administrator, and for seeds. */
  readonly grant: GrantRoles
  /**
   * Acts as a person: by id of the person record, by e-mail address, or by the host's own id when `people.byId` is given, which
   * is asked first. Of people with the same address that of `account` is meant.
   *
   * @throws TypeError for what cannot be a person or an account; operations throw a RangeError when there is no such person
   */
  as(person: NamedPerson, wishes?: { readonly account?: string }): LocalApi
  /** Acts as the service itself, past all permissions. The reason is for those who read the code later. @throws TypeError */
  asSystem(reason: string, account: string): LocalApi
}

/** Prepares it. Each operation makes a call of its own, so that roles are as they are when it runs. */
export function createHostApi(deps: HostApiDeps): HostApi {
  const { ask, byId, permissions } = deps
  const { accounts, callers, credentials, people } = deps.access
  return {
    credentials: hostCredentials(credentials, people),
    grant: createGrant({ people, accounts, callers, permissions }),
    as(key, wish) {
      const account = placeNamed(wish)
      const place = account === undefined ? {} : { accountId: account }
      const person = personNamed({ people, ask, byId }, key, account)
      const wishes = { source: 'host', origin: 'host', ...place } as const
      return createLocalApi(deps, async () => callers.callFor({ actor: await person() }, wishes))
    },
    asSystem(reason, account) {
      if (typeof reason !== 'string' || isBlank(reason)) throw new TypeError('asSystem: say for what reason, as a text')
      accountNamed('asSystem', account)
      return createLocalApi(deps, () => callers.hostCall(reason, account))
    },
  }
}
