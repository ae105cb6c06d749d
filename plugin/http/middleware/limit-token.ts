import { isReadOnly, opensOnlyFeed } from '../../access/tokens/token-limits.js'
import { Forbidden } from '../../core/errors.js'
import type { Middleware } from '../contract.js'

/**
 * Refuses all methods but GET and HEAD to callers whose token may only read, whatever the endpoint does with them, and all but the
 * feed to callers whose token has only that scope. Limits to record types are checked where records are read and written. What an
 * endpoint of the host does is not known here: tokens with such limits open those about one of their types, and those that say so.
 */
export function limitToken(): Middleware {
  return (ctx, next) => {
    const { identity, method, route } = ctx.state.itsm
    if (isReadOnly(identity) && (method !== 'GET' || route?.forWriting)) throw new Forbidden()
    if (route?.ofHost === 'anyToken') return next()
    if (opensOnlyFeed(identity) && !route?.forFeed && !route?.anonymous) throw new Forbidden()
    const types = identity?.token?.recordTypes
    if (types && route?.ofHost && !types.has(route.type ?? '')) throw new Forbidden()
    return next()
  }
}
