/** Routes, and the endpoints that are registered beside the routes of the catalog. */
import { Router } from '@koa/router'
import type { Call } from '../core/call.js'
import type { EndpointDescription } from '../schema/derive/openapi/endpoints.js'
import type { EndpointPath } from './endpoint-paths.js'
import type { Context } from './state.js'

/** How the body of a request is read: not at all, as JSON, as JSON or a form, or by the endpoint itself from `ctx.req`. */
export type BodyKind = 'none' | 'json' | 'form' | 'own'

export interface Route {
  /** Answers the request, with the functions of `answer.ts`. */
  run(ctx: Context, call: Call): void | Promise<void>
  /** The record type whose labels stand in error sentences. */
  readonly type?: string
  readonly body?: BodyKind
  /**
   * Query parameters that the route understands; `list` where it looks at them itself. A route that does not say so does not
   * honor `Prefer: handling=strict`.
   */
  readonly parameters?: ReadonlySet<string> | 'list'
  /** May be called without credentials. */
  readonly anonymous?: true
  /** Always acts in the account of the person's own record, whatever X-SVC-Account says. */
  readonly homeAccount?: true
  /** Suffixes besides `.json` that the path may have. */
  readonly suffixes?: readonly string[]
  /** Answers with files as they are: neither a suffix of the path nor the header Accept makes a difference. */
  readonly anyMedia?: true
}

export interface Endpoint extends Route {
  /** GET covers HEAD, PATCH covers PUT. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /**
   * The path below the version, without a slash at its end: `/import/:token`. A segment that begins with a colon matches any
   * text; `:id` and names that end in `_number` match ids only. The values are in `ctx.state.itsm.named`.
   */
  readonly path: EndpointPath
  /** What the OpenAPI document says of it. */
  readonly description: EndpointDescription
}

/** Endpoints, prepared for `findEndpoint`. */
export interface EndpointTable {
  readonly router: Router
  /** By the name under which the router knows them. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** First segment and number of segments of all paths: a request for anything else need not be matched. */
  readonly forms: ReadonlySet<string>
}

/** Prepares endpoints for `findEndpoint`; those that come first win. */
export function compileEndpoints(endpoints: readonly Endpoint[]): EndpointTable {
  const router = new Router()
  const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
  for (const [name, { method, path }] of named) router.register(path, [method], [() => undefined], { name, sensitive: true })
  return {
    router,
    endpoints: new Map(named.map(([name, endpoint]) => [name, withParameters(endpoint)] as const).toReversed()),
    forms: new Set(endpoints.map(({ path }) => formOf(path.split('/').filter((segment) => segment !== '')))),
  }
}

function formOf(segments: readonly string[]): string {
  return `${segments.length} ${segments[0] ?? ''}`
}

/** Endpoints say in their description which parameters they understand; those with a body do not tell which of it they use. */
function withParameters(endpoint: Endpoint): Endpoint {
  const { body = 'none', description } = endpoint
  if (body !== 'none' || endpoint.parameters) return endpoint
  return { ...endpoint, parameters: new Set((description.parameters ?? []).map(({ name }) => name)) }
}

/** The endpoint that the request means, with the values of its named segments; null when there is none. */
export function findEndpoint(
  table: EndpointTable,
  method: string,
  segments: readonly string[],
): { endpoint: Endpoint; named: Record<string, string> } | null {
  if (!table.forms.has(formOf(segments))) return null
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  for (const layer of table.router.match(path, method).pathAndMethod) {
    const endpoint = table.endpoints.get(layer.name ?? '')
    const named = layer.params(path, layer.captures(path))
    if (endpoint && Object.entries(named).every(isFit)) return { endpoint, named }
  }
  return null
}

/** A decimal id of a record, or null: anything else in the place of an id is an unknown path (behaviour: Paths and verbs). */
export function idOf(segment: string): number | null {
  if (!/^\d{1,16}$/.test(segment)) return null
  const id = Number(segment)
  return Number.isSafeInteger(id) ? id : null
}

/** Segments called `id` or `…_number` are ids; anything else in their place is an unknown path. */
function isFit([name, value]: readonly [string, string]): boolean {
  return !(name === 'id' || name.endsWith('_number')) || idOf(value) !== null
}
