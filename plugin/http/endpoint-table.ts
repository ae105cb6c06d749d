/** Routes, and the endpoints in addition to the routes of the catalog. */
import { Router } from '@koa/router'
import { type Endpoint, idOf } from './contract.js'

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

/** Segments called `id` or `…_number` are ids; any other text in their place is an unknown path. */
function isFit([name, value]: readonly [string, string]): boolean {
  return !(name === 'id' || name.endsWith('_number')) || idOf(value) !== null
}
