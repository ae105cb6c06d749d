import { NotFound } from '../../core/errors.js'
import type { Router } from '../router.js'
import type { Middleware } from '../state.js'

/** Finds the route of the request and stores it; null if there is none. */
export function findRoute(router: Router): Middleware {
  return (ctx, next) => {
    router.find(ctx.state.itsm)
    return next()
  }
}

/** Runs the route, with the call that was created for it. */
export function runRoute(): Middleware {
  return (ctx) => {
    const { route, call } = ctx.state.itsm
    if (!route || !call) throw new NotFound()
    return route.run(ctx, call)
  }
}
