/** What the functions of this folder need; `createHttp` puts it together. Nothing here knows how they work inside. */
import type { Authenticator } from '../access/authenticate.js'
import type { Callers } from '../access/callers.js'
import type { CredentialStore } from '../access/credentials.js'
import type { Actor, Call } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { ItsmError, Params } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Operations } from '../operations/operations.js'
import type { Permissions } from '../operations/permissions.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { Endpoint } from './endpoint.js'
import type { Context } from './state.js'

export interface HttpDeps {
  readonly catalog: Catalog
  readonly operations: Operations
  readonly authenticator: Authenticator
  readonly callers: Pick<Callers, 'callFor'>
  readonly words: Words
  readonly rateLimits: RateLimits
  readonly apiTokens: Pick<CredentialStore, 'show' | 'reset'>
  readonly permissions: Permissions
  /** The address at which clients reach us, with the version segment and without a final slash: `https://desk.example/v1`. */
  readonly baseUrl: string
  /** True only for development and specs: also answers calls that did not come over HTTPS. */
  readonly allowInsecure: boolean
  /**
   * Prefixes of our request headers, `X-SVC-` …; all of them are read, the first one given wins (behaviour: Response headers).
   */
  readonly headerPrefixes: readonly string[]
  readonly log: Log
  readonly clock: Clock
  /** What to answer when the database failed: 503, 504. Null for other errors. */
  readonly databaseFault: (error: unknown) => ItsmError | null
  /** Milliseconds that a call may take, without the time in which its request comes in. */
  readonly callMs: number
  /**
   * Who the host says is signed in, for hosts that authenticate by themselves (a session, a proxy). Asked only when a request
   * carries no credentials of its own. JSON-P is refused to such calls: it would hand their answers to any web page.
   */
  readonly signedIn?: ((ctx: Context) => Promise<Actor | null>) | undefined
  /** Key of a form for uploads of the caller; without it records do not tell how to upload files. */
  readonly uploadForm?: (call: Call) => { readonly key: string }
  /** Endpoints that belong to no record type; they win over the routes of the catalog. */
  readonly endpoints?: readonly Endpoint[]
}

/** Caller of a request, and how that is known. */
export interface Identity {
  readonly actor: Actor
  /** `host` when the host vouched for the person. */
  readonly signedInWith: 'password' | 'token' | 'host'
}

/** Texts by language; a language without a text falls back to English. */
export interface Words {
  /** The sentence of a violation, beginning with the label of the field; an unknown code is the sentence itself. */
  sentence(language: string, code: string, label: string, params?: Params): string
  /** The label of a field; the type is empty for input that belongs to no record type, such as the file of an import. */
  fieldLabel(language: string, type: string, field: string): string
  valueLabel(language: string, enumeration: string, value: string): string
  /** The language in which a caller of this language is answered: one without words is answered in English. */
  languageOf(language: string): string
}

export interface RateFigures {
  readonly limit: number
  /** Calls left in the window, never below 0. */
  readonly remaining: number
  /** Epoch seconds at which the window ends. */
  readonly resetAt: number
  /** Seconds to wait when the call is one too many, else null. */
  readonly retryAfter: number | null
}

export interface RateLimits {
  /** Counts one call of the login or address that the key names. @throws Unavailable when the store is away */
  count(key: string): Promise<RateFigures>
}
