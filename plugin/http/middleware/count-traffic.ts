import type { Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/** Counts requests, so that work in the background gives way to them. */
export function countTraffic({ traffic }: Pick<HttpDeps, 'traffic'>): Middleware {
  return (_ctx, next) => {
    traffic?.arrived()
    return next()
  }
}
