/** What the functions of this folder need; `createHttp` puts it together. Nothing here knows how they work inside. */
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
  readonly callers: Callers
  readonly words: Words
  readonly rateLimits: RateLimits
  readonly apiTokens: ApiTokens
  readonly permissions: Permissions
  /** The address at which clients reach us, with the version segment and without a final slash: `https://desk.example/v1`. */
  readonly baseUrl: string
  /** True only for development and specs: also answers calls that did not come over HTTPS. */
  readonly allowInsecure: boolean
  /** Prefixes of our request headers, `X-SVC-` …; all of them are read, the first one given wins (gaps 9.1). */
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

export interface Credentials {
  /** Name and password as sent; the name may be an API token and the password anything. */
  readonly basic?: { readonly name: string; readonly password: string }
  /** Query parameter api_token. */
  readonly token?: string
  readonly bearer?: string
  /** The address of the caller, as the host's proxy settings see it. */
  readonly remoteAddress: string
}

export interface Identity {
  readonly actor: Actor
  /** `host` when the host vouched for the person. */
  readonly signedInWith: 'password' | 'token' | 'host'
}

export interface Authenticator {
  /** @throws Unauthenticated, TooManyRequests (too many wrong guesses) */
  identify(credentials: Credentials): Promise<Identity>
}

export interface CallWishes {
  /** The account that X-SVC-Account names. */
  readonly accountId?: string
  /** The language that X-SVC-Language names, as sent. */
  readonly language?: string
  /** Default of the field source, at most 30 characters (gaps 1.14). */
  readonly source: string
  readonly requestId: string
  /** Aborts when the time of the call is over. */
  readonly signal?: AbortSignal
}

export interface Callers {
  /**
   * The call that a request makes. Null stands for nobody: a call without actor and roles, only for the root and /enums.
   *
   * @throws Forbidden when the account is unknown or the person has no role in it
   */
  callFor(identity: Identity | null, wishes: CallWishes): Promise<Call>
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

export interface ApiTokens {
  show(personId: number): Promise<string>
  /** Makes a new token and forgets the old one. */
  reset(personId: number): Promise<string>
}
