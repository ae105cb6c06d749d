import { Forbidden } from '../../core/errors.js'
import type { Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/**
 * Refuses calls without HTTPS (spec, Conventions 1). `ctx.secure` follows the proxy setting of the host, so that
 * X-Forwarded-Proto counts only if the host trusts it.
 */
export function secureOnly({ allowInsecure }: Pick<HttpDeps, 'allowInsecure'>): Middleware {
  return (ctx, next) => {
    if (!allowInsecure && !ctx.secure) throw new Forbidden('Only HTTPS is supported')
    return next()
  }
}
