/** Routes, and the endpoints in addition to the routes of the catalog. */
import { Router } from '@koa/router'
import type { Call } from '../core/call.js'
import type { EndpointDescription } from '../schema/openapi/endpoints.js'
import type { Identity } from './deps.js'
import type { EndpointPath } from './endpoint-paths.js'
import type { Post } from './post.js'
import type { Context } from './state.js'

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
   * Finds the caller, for a path with credentials of its own: those of people have no effect there, and neither has the session
   * of the host.
   */
  readonly identify?: (ctx: Context) => Promise<Identity>
  /** Always acts in the account of the person's own record, regardless of X-SVC-Account. */
  readonly homeAccount?: true
  /** Suffixes that the path may have in addition to `.json`. */
  readonly suffixes?: readonly string[]
  /** Responds with unchanged files: neither a suffix of the path nor the header Accept has an effect. */
  readonly anyMedia?: true
}

/** Any verb but POST. */
export interface RunRoute extends RouteFacts {
  /** Responds to the request, with the functions of `answer.ts`. */
  run(ctx: Context, call: Call): void | Promise<void>
}

/** A POST, which clients may repeat: it leaves the response to `run-post.ts`. */
export interface PostRoute extends RouteFacts {
  readonly post: Post
}

export type Route = RunRoute | PostRoute

interface EndpointFacts {
  /**
   * The path below the version, without a trailing slash: `/import/:token`. A segment that begins with a colon matches any
   * text; `:id` and names that end in `_number` match only ids. The values are in `ctx.state.itsm.named`.
   */
  readonly path: EndpointPath
  /** Its description in the OpenAPI document. */
  readonly description: EndpointDescription
}

/** GET covers HEAD, PATCH covers PUT. */
export type Endpoint = EndpointFacts &
  ((RunRoute & { readonly method: 'GET' | 'PATCH' | 'DELETE' }) | (PostRoute & { readonly method: 'POST' }))

/** Endpoints, prepared for `findEndpoint`. */
export interface EndpointTable {
  readonly router: Router
  /** By the name that the router uses. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** First segment and number of segments of all paths: other requests need not be matched. */
  readonly forms: ReadonlySet<string>
}

/** Prepares endpoints for `findEndpoint`; earlier ones take precedence. */
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

/** Endpoints list their parameters in their description; those with a body do not say which of these they use. */
function withParameters(endpoint: Endpoint): Endpoint {
  const { body = 'none', description } = endpoint
  if (body !== 'none' || endpoint.parameters) return endpoint
  return { ...endpoint, parameters: new Set((description.parameters ?? []).map(({ name }) => name)) }
}

/** The endpoint of the request, with the values of its named segments; null if none matches. */
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

/** A decimal id of a record, or null: any other text in place of an id is an unknown path (behaviour: Paths and verbs). */
export function idOf(segment: string): number | null {
  if (!/^\d{1,16}$/.test(segment)) return null
  const id = Number(segment)
  return Number.isSafeInteger(id) ? id : null
}

/** Segments called `id` or `…_number` are ids; any other text in their place is an unknown path. */
function isFit([name, value]: readonly [string, string]): boolean {
  return !(name === 'id' || name.endsWith('_number')) || idOf(value) !== null
}
