import { PreconditionFailed } from '../../core/errors.js'
import { isText } from '../answers/answer.js'
import type { Middleware } from '../contract.js'
import { contentIn, hasTag, matchOf, tagOf } from '../requests/etags.js'
import { callbackOf } from './jsonp.js'

/**
 * Tags successful responses with a body, and responds 304 to a GET whose If-None-Match, or Etag, contains the tag (spec,
 * Conventions 8; behaviour: Caching). Scripts of JSON-P always get their data: a browser that repeats its tag expects a script.
 *
 * Routes that change something evaluate If-Match themselves, or it is refused here: a tag cannot be that of a URL without GET
 * (behaviour: Conditional writes).
 */
export function conditional(): Middleware {
  return async (ctx, next) => {
    const { method, route } = ctx.state.itsm
    const wanted = matchOf(ctx)
    // A DELETE of something that is not there is 404, so `*` is true for all others.
    const isMet = wanted === null || method === 'GET' || (method === 'DELETE' && wanted === 'any')
    if (!isMet && route !== null && !route.conditional) throw new PreconditionFailed()
    await next()
    const { body } = ctx
    // Results of an array are not what a GET of the URL shows.
    if (!isText(body) || ctx.status > 299 || ctx.state.itsm.bodies !== null) return
    const { kept, steady } = ctx.state.itsm
    const tag = kept && body === kept.bytes ? kept.tag((bytes) => tagOf(bytes, null)) : tagOf(body, steady)
    ctx.set('ETag', `W/"${tag}"`)
    if (method !== 'GET' || callbackOf(ctx) !== undefined) return
    if (wanted !== null && wanted !== 'any' && !wanted.some((one) => contentIn(one) === contentIn(tag)))
      throw new PreconditionFailed()
    if (hasTag(ctx, tag)) ctx.status = 304
  }
}
