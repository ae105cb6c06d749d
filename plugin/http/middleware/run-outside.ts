import type { Middleware } from '../contract.js'

/** Runs routes that answer before anything is asked of the caller: who it is, HTTPS, limits. They may be asked every second. */
export function runOutside(): Middleware {
  return async (ctx, next) => {
    const { route } = ctx.state.itsm
    if (route && 'outside' in route) await route.outside(ctx)
    else await next()
  }
}
