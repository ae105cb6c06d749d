import type { Call } from '../core/call.js'
import type { Clock, Instant } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { createSeal, type Seal } from '../core/seal.js'
import type { AskHost } from '../core/waiting/ask-host.js'
import type { Catalog } from '../schema/catalog.js'
import { PERSON } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import type { Queries } from '../storage/records/query.js'
import { type Clients, createClients } from './oauth/clients.js'
import { type Accounts, createAccounts } from './people/accounts.js'
import { type Callers, createCallers } from './people/callers.js'
import { type MailReader, mailReaders } from './people/mail-readers.js'
import type { People } from './people/people.js'
import { rememberPeople } from './people/remembered-people.js'
import { teamsOf } from './people/teams.js'
import { createSessions, type Sessions } from './sessions/sessions.js'
import type { ScopeHook } from './sight/ask-scope.js'
import { type Authorize, createDecisions, type Decisions } from './sight/decide.js'
import { createScope, type Scope } from './sight/scope.js'
import { createVisibleIn, type VisibleIn } from './sight/visible-in.js'
import { type CredentialStore, createCredentialStore } from './tokens/credentials.js'
import { type AfterWrite, endsWithPerson } from './tokens/rows-of-people.js'
import { createSecrets, type Secrets } from './tokens/secrets.js'
import type { RandomBytes } from './tokens/token-text.js'
import { createTokens, type Tokens } from './tokens/tokens.js'

/** Dependencies of access: creating calls, and checking their permissions. */
export interface AccessDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Queries
  readonly clock: Clock
  readonly log: Log
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  readonly secret: string
  /** Source of random bytes, for tokens. */
  readonly randomBytes: RandomBytes
  /** A text that no other process has. */
  readonly randomId: () => string
  /** Runs after a commit that has made records due, with that time. */
  expectTimer(moment: Instant): void
  /** The host's hook for each decision. */
  readonly authorize: Authorize | undefined
  /** The host's restriction of visible records. */
  readonly scope: ScopeHook | undefined
}

/** Functions of access for other folders. */
export interface Access {
  readonly accounts: Accounts
  readonly people: People
  readonly callers: Callers
  readonly secrets: Secrets
  /** For secrets in records. */
  readonly fieldSeal: Seal
  readonly credentials: CredentialStore
  readonly tokens: Tokens
  /** Sessions of people in browsers. */
  readonly sessions: Sessions
  /** Ends tokens and sessions of disabled and removed people. */
  readonly afterWrite: AfterWrite
  /** OAuth clients. */
  readonly clients: Clients
  readonly decisions: Decisions
  readonly scope: Scope
  /** Finds the other accounts in which records are visible. */
  readonly visibleIn: VisibleIn
  /** Readers of mails with these addresses in an account; without addresses, its account administrators. */
  readersOf(accountId: string, addresses: readonly string[]): Promise<readonly MailReader[]>
  /** Names of accounts, for references to records of other accounts. */
  accountNames(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The time zone of the call's account, locked against changes until the transaction ends. */
  accountZone(call: Call): Promise<string>
  /** Ids of people with any or all of the roles in the account of the call. */
  peopleWithRoles(call: Call, roles: readonly string[], match: 'any' | 'all'): Promise<readonly number[]>
}

/** Assembles access. Does no I/O. */
export function createAccess(deps: AccessDeps): Access {
  const { storage, catalog, queries, clock, log, ask, authorize } = deps
  const secrets = createSecrets(deps.secret)
  const accounts = createAccounts(deps)
  const person = catalog.type(PERSON)
  const people = rememberPeople(storage, person, clock)
  const decisions = createDecisions(authorize, (call) => teamsOf(storage, catalog, call, call.actor?.id ?? 0), ask)
  return {
    secrets,
    fieldSeal: createSeal(deps.secret, 'field seal'),
    accounts,
    people,
    callers: createCallers(accounts, people, clock),
    credentials: createCredentialStore(storage, secrets, clock),
    tokens: createTokens({ ...deps, person, secrets }),
    sessions: createSessions({ ...deps, person, secrets }),
    afterWrite: endsWithPerson(person, ['tokens', 'sessions'].map(storage.table)),
    clients: createClients({ ...deps, person, secrets }),
    decisions,
    scope: createScope(storage, catalog, { hook: deps.scope, ask, isOpen: decisions.isOpen }),
    visibleIn: createVisibleIn({ storage, catalog, queries, clock, log, hook: deps.scope, ask }),
    readersOf: mailReaders(people, accounts),
    accountNames: (call, ids) => accounts.names(call, ids),
    accountZone: (call) => accounts.zone(call),
    peopleWithRoles: (call, roles, match) => people.withRoles(call.account.id, roles, match, call),
  }
}
