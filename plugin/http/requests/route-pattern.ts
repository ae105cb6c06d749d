import { type HttpState, idOf } from '../contract.js'

/**
 * The pattern of the path of a request, with `:id` in place of ids: `/v1/requests/:id/notes`. Null for an unknown path, which may
 * have any text in it. To be called when the route has been found.
 */
export function routePattern({ route, segments }: Pick<HttpState, 'route' | 'segments'>): string | null {
  if (!route || !segments) return null
  const path = 'path' in route ? route.path : `/${segments.map((one) => (idOf(one) === null ? one : ':id')).join('/')}`
  return path === '/' ? '/v1' : `/v1${path}`
}
