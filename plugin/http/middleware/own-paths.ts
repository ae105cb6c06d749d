import type { Middleware as HostMiddleware } from 'koa'
import type { Context, Middleware } from '../contract.js'

/**
 * Runs a chain for /v1 and everything below it. These requests end here, whatever the host has after us; all others continue to
 * the host unchanged. Under koa-mount an unmatched path would otherwise fall through to the host.
 */
export function ownPaths(chain: readonly Middleware[]): HostMiddleware {
  const run = (ctx: Context, index: number): Promise<unknown> => {
    const middleware = chain[index]
    return middleware ? Promise.resolve(middleware(ctx, () => run(ctx, index + 1))) : Promise.resolve()
  }
  return (ctx, next) => (isOurs(ctx.path) ? run(ctx as Context, 0) : next())
}

function isOurs(path: string): boolean {
  return path.startsWith('/v1') && (path.length === 3 || path[3] === '/')
}
