import { isReadOnly } from '../../access/tokens/token-limits.js'
import { Forbidden } from '../../core/errors.js'
import type { Middleware } from '../contract.js'

/**
 * Refuses all methods but GET and HEAD to callers whose token may only read, whatever the endpoint does with them. Limits to record
 * types are checked where records are read and written.
 */
export function limitToken(): Middleware {
  return (ctx, next) => {
    const { identity, method, route } = ctx.state.itsm
    if (isReadOnly(identity) && (method !== 'GET' || route?.forWriting)) throw new Forbidden()
    return next()
  }
}
