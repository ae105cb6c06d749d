/** Dependencies of this folder; `createHttp` collects them. Nothing here knows how they work inside. */
import type { OAuth } from '../access/oauth/oauth.js'
import type { Callers } from '../access/people/callers.js'
import type { Authenticator } from '../access/sign-in/authenticate.js'
import type { SessionSignIn } from '../access/sign-in/session-sign-in.js'
import type { CredentialStore } from '../access/tokens/credentials.js'
import type { Actor, Call } from '../core/call.js'
import type { ItsmError, Params } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Observer } from '../core/observe.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { Operations } from '../operations/contract.js'
import type { Allowances } from '../operations/people/allowances.js'
import type { CredentialChanges } from '../operations/people/credential-changes.js'
import type { Permissions } from '../operations/people/permissions.js'
import type { PersonalTokens } from '../operations/people/personal-tokens.js'
import type { Counting } from '../operations/read/count-by.js'
import type { Once } from '../operations/save/once.js'
import type { Catalog } from '../schema/catalog.js'
import type { Context, Endpoint, RateFigures } from './contract.js'

/** Finds routes, and runs those of records and endpoints. */
export interface RouteDeps {
  readonly catalog: Catalog
  readonly operations: Operations
  readonly words: Words
  readonly apiTokens: Pick<CredentialStore, 'show'> & Pick<CredentialChanges, 'resetApiToken'>
  readonly allowances: Allowances
  readonly counting: Counting
  readonly permissions: Omit<Permissions, 'changeEach' | 'listOf'>
  readonly personalTokens: PersonalTokens
  /** Base URL for clients, with the version segment and without a trailing slash: `https://desk.example/v1`. */
  readonly baseUrl: string
  /** Prefixes of our request headers, `X-SVC-` …; all are accepted, the first one sent wins (behaviour: Response headers). */
  readonly headerPrefixes: readonly string[]
  /** Milliseconds that a call may take, without the time in which its request arrives. */
  readonly callMs: number
  readonly log: Log
  /** OAuth clients; undefined if they are not offered. */
  readonly oauth?: OAuth | undefined
  /** Sessions of people in browsers; undefined if they are not offered. */
  readonly sessions?: SessionSignIn | undefined
  /** Key of a form for uploads of the caller; without it records do not show how to upload files. */
  readonly uploadForm?: (call: Call) => { readonly key: string }
  /** Takes work that is done in the background once the plugin has started, so that no call has to wait for it. */
  readonly afterStart?: (work: () => Promise<unknown>) => void
  /** Endpoints that belong to no record type; they take precedence over the routes of the catalog. */
  readonly endpoints?: readonly Endpoint[]
}

/** Turns errors into responses. */
export interface ErrorDeps extends Pick<RouteDeps, 'catalog' | 'log' | 'words'> {
  /** The error for callers if the database failed: 503, 504. Null for other errors. */
  readonly databaseFault: (error: unknown) => ItsmError | null
}

/** The chain that every request passes through, with its routes. Each middleware names what it takes of it. */
export interface HttpDeps extends RouteDeps, ErrorDeps {
  readonly authenticator: Pick<Authenticator, 'identify'>
  readonly callers: Pick<Callers, 'callFor' | 'callIn'>
  readonly once: Once
  readonly rateLimits: RateLimits
  /** The functions of the host that watch calls. */
  readonly observer?: Observer
  /** True if each call is logged. */
  readonly logRequests?: boolean
  /** Is told of each request. */
  readonly traffic?: Pick<Traffic, 'arrived'>
  /** True only for development and specs: also accepts calls without HTTPS. */
  readonly allowInsecure: boolean
  /**
   * Finds the person who is signed in at the host, for hosts with their own authentication (a session, a proxy). Called only
   * for requests without credentials. JSON-P is refused to such calls: any website could read their responses.
   */
  readonly signedIn?: ((ctx: Context) => Promise<Actor | null>) | undefined
}

/** Texts by language; a language without a text falls back to English. */
export interface Words {
  /** The message of a violation, beginning with the label of the field; an unknown code is used as the message. */
  sentence(language: string, code: string, label: string, params?: Params): string
  /** The label of a field; the type is empty for input that belongs to no record type, such as the file of an import. */
  fieldLabel(language: string, type: string, field: string): string
  valueLabel(language: string, enumeration: string, value: string): string
  /** The language of responses to a caller of this language: English if it has no texts. */
  languageOf(language: string): string
}

export interface RateLimits {
  /**
   * Counts one call of the login or IP address in the key.
   *
   * @param further counts so many calls instead, for a call that was counted before and does the work of several
   * @throws Unavailable if the store is down
   */
  count(key: string, further?: number): Promise<RateFigures>
}
