/** What all of `http/` agrees on, in types that need each other: the state of a request, routes, and how a POST is answered. */
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { Actor, Call, CallToken } from '../core/call.js'
import type { CallSignal } from '../core/call-signal.js'
import type { ItsmError } from '../core/errors.js'
import type { KeptText } from '../core/kept-text.js'
import type { Handling, Output, Owner } from '../operations/contract.js'
import type { EndpointDescription } from '../schema/openapi/endpoints.js'
import type { EndpointPath, HostPath } from './endpoint-paths.js'

/** Caller of a request, and the kind of sign-in. */
export interface Identity {
  readonly actor: Actor
  /** `host` if the host identified the person, `session` for a page; `client` for an OAuth client, while it gets a token. */
  readonly signedInWith: 'password' | 'token' | 'session' | 'host' | 'client'
  /** The token, if it may be limited. */
  readonly token?: CallToken
}

export interface RateFigures {
  readonly limit: number
  /** Calls left in the window, never below 0. */
  readonly remaining: number
  /** Epoch seconds at which the window ends. */
  readonly resetAt: number
  /** Seconds to wait if the call is over the limit, else null. */
  readonly retryAfter: number | null
}

/** State of one request. All of it is in `ctx.state.itsm`; the rest of `ctx.state` belongs to the host. */
export interface HttpState {
  readonly requestId: string
  /** Milliseconds of a clock that measures only durations. */
  readonly startedAt: number
  /** GET for HEAD, PATCH for PUT. */
  readonly method: string
  /** Decoded segments of the path below /v1, without suffix; null when the path cannot be decoded. */
  readonly segments: readonly string[] | null
  /** Suffix of the path for a media type (`json`, `csv`, `xml`), or null. */
  readonly suffix: string | null
  /** Decoded query parameters, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  route: Route | null
  /** Values of the `:name` segments of an endpoint's path. */
  named: Readonly<Record<string, string>>
  /** Ids in the path of a record, and of the record below it. */
  id: number
  subId: number
  identity: Identity | null
  call: Call | null
  /** Handling of parameters, and of names in the body, that have no effect. */
  handling: Handling
  /** The parsed body; empty without one. */
  body: Readonly<Record<string, unknown>>
  /** The bodies in a body that is an array, each with its own error if it cannot be one; null for any other body. */
  bodies: readonly (Readonly<Record<string, unknown>> | ItsmError)[] | null
  figures: RateFigures | null
  /** The body of the response without what changes with time alone; null if that is all of it. */
  steady: string | null
  /** The body of the response if it is the same for all callers; null if not. */
  kept: KeptText | null
  /** Aborts when the time of the call has expired; responses after that must not be sent. */
  signal: CallSignal | null
  /** Does work that does not count as time of the call: waiting on purpose, as the client has asked. */
  untimed: <T>(work: () => Promise<T>) => Promise<T>
}

export interface State {
  itsm: HttpState
}
export type Context = ParameterizedContext<State>
export type Middleware = KoaMiddleware<State>

/** The first value of a query parameter. */
export function parameterOf(ctx: Context, name: string): string | undefined {
  return ctx.state.itsm.parameters.find(([given]) => given === name)?.[1]
}

/** A decimal id of a record, or null: any other text in place of an id is an unknown path (behaviour: Paths and verbs). */
export function idOf(segment: string): number | null {
  if (!/^\d{1,16}$/.test(segment)) return null
  const id = Number(segment)
  return Number.isSafeInteger(id) ? id : null
}

/** Reading of the request body: not at all, as JSON, as JSON or a form, or by the endpoint itself from `ctx.req`. */
export type BodyKind = 'none' | 'json' | 'form' | 'own'

interface RouteFacts {
  /** The record type whose labels error messages use. */
  readonly type?: string
  readonly body?: BodyKind
  /** Evaluates preconditions of the request (`preconditions.ts`). All other routes that are not GET refuse If-Match. */
  readonly conditional?: true
  /**
   * Query parameters that the route understands; `list` if it checks them itself. A route without this list does not honor
   * `Prefer: handling=strict`.
   */
  readonly parameters?: ReadonlySet<string> | 'list'
  /** May be called without credentials. */
  readonly anonymous?: true
  /** Opens a way to write, so that a token that may only read is refused although the method only reads. */
  readonly forWriting?: true
  /**
   * Finds the caller, for a path with credentials of its own: those of people have no effect there, and neither have sessions.
   */
  readonly identify?: (ctx: Context) => Promise<Identity | null>
  /** Runs code of the host, which the limits of a token to record types do not reach. */
  readonly ofHost?: 'anyToken' | 'limited'
  /** Open to tokens with the scope `feed` alone, which open nothing else. */
  readonly forFeed?: true
  /** Always acts in the account of the person's own record, regardless of X-SVC-Account. */
  readonly homeAccount?: true
  /** Suffixes that the path may have in addition to `.json`. */
  readonly suffixes?: readonly string[]
  /** Responds with unchanged files: neither a suffix of the path nor the header Accept has an effect. */
  readonly anyMedia?: true
  /** Not counted for callers without credentials: a page may show more of these files than a caller may request at once. */
  readonly uncounted?: true
}

/** Any verb but POST. */
export interface RunRoute extends RouteFacts {
  /** Responds to the request, with the functions of `answer.ts`. */
  run(ctx: Context, call: Call): void | Promise<void>
}

/** A POST, or a PATCH of an array, which clients may repeat: it leaves the response to `run-post.ts`. */
export interface PostRoute extends RouteFacts {
  readonly post: Post
}

/** A route that answers before anything is asked of the caller, HTTPS and limits included. */
export interface OutsideRoute extends RouteFacts {
  outside(ctx: Context): Promise<void>
}

export type Route = RunRoute | PostRoute | OutsideRoute

interface EndpointFacts {
  /**
   * The path below the version, without a trailing slash: `/import/:token`. A segment that begins with a colon matches any
   * text; `:id` and names that end in `_number` match only ids. The values are in `ctx.state.itsm.named`.
   */
  readonly path: EndpointPath | HostPath
  /** How the OpenAPI document describes the endpoint. */
  readonly description: EndpointDescription
}

/** GET covers HEAD, PATCH covers PUT. */
export type Endpoint = EndpointFacts &
  (
    | (RunRoute & { readonly method: 'GET' | 'PATCH' | 'DELETE' })
    | (PostRoute & { readonly method: 'POST' })
    | (OutsideRoute & { readonly method: 'GET' })
  )

/** The routes of one collection: as a whole, of one of its records, and its predefined lists. Keys are verbs. */
export interface Branch {
  readonly all: ReadonlyMap<string, Route>
  readonly one: ReadonlyMap<string, Route>
  readonly lists: ReadonlyMap<string, Route>
}

export interface Router {
  /** Stores the route, and the values in its path, in the state; null if the path or the verb is unknown. */
  find(state: HttpState): void
}

/** A record that was created, found or changed; answered as it is when the response is written. */
export interface RecordAnswer {
  readonly status: 200 | 201
  /** The call in the account of the record. */
  readonly call: Call
  readonly record: { readonly type: string; readonly id: number; readonly owner?: Owner }
  /** Path of the record's URL; absent if it is not new. */
  readonly location?: string
  /** Names in the body without effect. */
  readonly ignored: readonly string[]
  /** Fields that appear only on request. */
  readonly also?: readonly string[]
  /** Secrets that were made: in this response, and never stored. A repeat gets the record without them. */
  readonly shownOnce?: Output
}

/** An answer that is no record. A repeat gets the same: up to 64 KB of JSON are stored. */
export interface ValueAnswer {
  readonly status: 200 | 201 | 202
  readonly value: unknown
}

/** Done without a body; 304 says that nothing has changed, so that the same key may be tried again. */
export interface EmptyAnswer {
  readonly status: 204 | 304
  /** Path of what it has begun, below the version. */
  readonly location?: string
  /** Runs after the commit, and not for a repeat: for effects outside of the database. A crash may skip it. */
  readonly afterwards?: () => void
}

/** An answer that is shown once and never stored: a repeat is refused with 422, and does nothing. */
export interface SecretAnswer {
  readonly answerOnce: (ctx: Context, call: Call) => Promise<void>
}

export type PostAnswer = RecordAnswer | ValueAnswer | EmptyAnswer | SecretAnswer

interface Repeated {
  /** The header Idempotency-Key has no effect here. */
  readonly ignoresKey?: true
  /** Refuses callers for the way in which they call, also those who repeat. */
  check?(ctx: Context): void
  /** Throws if the caller may not do this any more. Called for repeats only, which the work itself does not check. */
  again?(ctx: Context, call: Call): Promise<unknown>
}

/** Work in the transaction that stores the key; it may run again after a deadlock, so it does not touch the response. */
export interface Work extends Repeated {
  act(ctx: Context, call: Call): Promise<PostAnswer>
  /** What needs more connections than that of the transaction, before it; returns the call for the work. */
  before?(ctx: Context, call: Call): Promise<Call>
  /** Texts that identify what is created, for repeats without a key; null if the body has none. */
  implies?(ctx: Context, call: Call): readonly string[] | null
  /** The work of a body that is an array of bodies; without it, such bodies are refused. */
  readonly many?: Receiving
}

/** What arrived with a request whose body the route reads itself. */
export interface Received {
  /** The person who sent it. */
  readonly by: { readonly accountId: string; readonly personId: number }
  /** Digest of what was sent; only called for requests with a key. */
  digest(): Promise<string>
  /** True if the work has transactions of its own, and no effect that anybody sees before it is answered. */
  readonly isOutside?: true
}

/** Does the work and sends its result; a repeat gets the result of the first request. */
export type RespondOnce = (received: Received, work: (call: Call) => Promise<PostAnswer>) => Promise<void>

/** For what comes before the work and its transaction: reads a body that is a stream, or prepares the work. Then passes it on. */
export interface Receiving extends Repeated {
  receive(ctx: Context, call: Call, respond: RespondOnce): Promise<void>
}

/** A POST, or a PATCH of an array. Nearly all of them accept the header Idempotency-Key (behaviour: Repeated requests). */
export type Post = Work | Receiving
