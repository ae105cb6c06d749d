import type { Actor } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import type { AskHost } from '../../core/waiting/ask-host.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import type { Clients } from '../oauth/clients.js'
import { createOAuth, type OAuth } from '../oauth/oauth.js'
import type { People } from '../people/people.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Secrets } from '../tokens/secrets.js'
import type { Tokens } from '../tokens/tokens.js'
import { type Authenticator, createAuthenticator } from './authenticate.js'
import { signedInAt } from './host-people.js'
import { type CreatePerson, createRecognition, type HostPerson, type Provision } from './recognize-person.js'
import { createSessionSignIn, type SessionSignIn } from './session-sign-in.js'
import type { FindByCredentials } from './sign-in-sources.js'

/** Dependencies of signing in. `Context` is the request as the host's hook gets it. */
export interface SignInDeps<Context> {
  readonly access: {
    readonly people: People
    readonly secrets: Secrets
    readonly clients: Clients
    readonly tokens: Tokens
    readonly sessions: Sessions
  }
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Log
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  /** Creates the record of a person whom `provision` describes. */
  readonly createPerson: CreatePerson
  readonly byCredentials: FindByCredentials | undefined
  readonly signedIn: ((ctx: Context) => Promise<HostPerson | null>) | undefined
  readonly provision: Provision | undefined
  /** Maximum number of wrong passwords, and of wrong tokens, that one address may send in a quarter of an hour. */
  readonly failuresPerAddress: number
  /** Settings of OAuth; undefined if it is not offered. */
  readonly oauth: { readonly tokenLifetimeMs: number } | undefined
  /** True if pages may begin sessions. */
  readonly sessions: boolean
}

/** Signing in by credentials, by the host's session, and of OAuth clients. */
export interface SignIn<Context> {
  readonly authenticator: Authenticator
  /** The person whom the host has signed in; undefined if the host has no such hook. */
  readonly signedIn: ((ctx: Context) => Promise<Actor | null>) | undefined
  /** OAuth clients; undefined if they are not offered. */
  readonly oauth: OAuth | undefined
  /** Sessions of people in browsers; undefined if they are not offered. */
  readonly sessions: SessionSignIn | undefined
}

/** Assembles signing in. */
export function createSignIn<Context>(deps: SignInDeps<Context>): SignIn<Context> {
  const { ask, clock, log, provision, byCredentials, signedIn, failuresPerAddress } = deps
  const { people, secrets, tokens } = deps.access
  const recognize = createRecognition({ people, ask, log, clock, create: deps.createPerson, provision })
  const authenticator = createAuthenticator({
    people,
    secrets,
    tokens,
    ask,
    recognize,
    byCredentials,
    failuresPerAddress,
    acceptsOAuth: deps.oauth !== undefined,
  })
  return {
    authenticator,
    signedIn: signedIn && signedInAt(ask, recognize, signedIn),
    oauth: deps.oauth && createOAuth({ ...deps, ...deps.access, ...deps.oauth }),
    sessions: deps.sessions ? createSessionSignIn({ ...deps, ...deps.access, authenticator }) : undefined,
  }
}
