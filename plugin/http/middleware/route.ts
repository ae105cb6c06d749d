import { NotFound } from '../../core/errors.js'
import { createWithoutSignatures } from '../../schema/derive/without-signatures.js'
import type { Middleware, Router } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { runPost } from '../posts/run-post.js'

/** Finds the route of the request and stores it; null if there is none. */
export function findRoute(router: Router): Middleware {
  return (ctx, next) => {
    router.find(ctx.state.itsm)
    return next()
  }
}

/** Runs the route, with the call that was created for it. */
export function runRoute(deps: Pick<HttpDeps, 'baseUrl' | 'callers' | 'catalog' | 'log' | 'once' | 'operations'>): Middleware {
  const forPosts = { ...deps, withoutSignatures: createWithoutSignatures(deps.catalog) }
  return (ctx) => {
    const { bodies, route, call } = ctx.state.itsm
    if (!route || 'outside' in route || !call) throw new NotFound()
    if (!('post' in route)) return route.run(ctx, call)
    const many = bodies !== null && 'many' in route.post ? route.post.many : undefined
    return runPost(forPosts, ctx, call, many ?? route.post)
  }
}
