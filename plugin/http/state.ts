/** State of one request. All of it is in `ctx.state.itsm`; the rest of `ctx.state` belongs to the host. */
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { Call } from '../core/call.js'
import type { CallSignal } from '../core/call-signal.js'
import type { Handling } from '../operations/operations.js'
import type { Identity, RateFigures } from './deps.js'
import type { Route } from './endpoint-table.js'

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
  figures: RateFigures | null
  /** The body of the response without what changes with time alone; null if that is all of it. */
  steady: string | null
  /** Aborts when the time of the call has expired; responses after that must not be sent. */
  signal: CallSignal | null
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
