import { BadRequest, NotAcceptable, NotFound } from '../../core/errors.js'
import { MAX_NAMES } from '../../core/json-text.js'
import { PROBLEM_TYPE } from '../answers/problem-details.js'
import type { Context, Middleware } from '../contract.js'
import { acceptable } from '../requests/accepted.js'
import { callbackOf, isCallback } from './jsonp.js'

/**
 * Refuses what can be refused before any work is done: unknown paths and verbs (404), media types that the path does not offer
 * (406; spec, Conventions 3), invalid names of callbacks, and queries with more parameters than a body may have names (400).
 */
export function jsonOnly(): Middleware {
  return (ctx, next) => {
    const { parameters, route, suffix } = ctx.state.itsm
    if (route === null) throw new NotFound()
    const isOffered = suffix === null ? acceptsJson(ctx) : suffix === 'json' || route.suffixes?.includes(suffix)
    if (!isOffered && !route.anyMedia) throw new NotAcceptable()
    const callback = callbackOf(ctx)
    if (callback !== undefined && !isCallback(callback)) throw new BadRequest("Parameter 'callback' must name a function")
    if (parameters.length > MAX_NAMES) throw new BadRequest(`Query should not have more than ${MAX_NAMES} parameters`)
    return next()
  }
}

function acceptsJson(ctx: Context): boolean {
  const header = ctx.get('Accept').trim()
  if (header === '' || header === '*/*') return true
  const types = callbackOf(ctx) === undefined ? [] : ['application/javascript', 'text/javascript']
  // Who asks only for problem details gets everything else as plain JSON (RFC 9457, 3: they are for errors).
  const isNamed = acceptable(header, PROBLEM_TYPE, 'named') > 0
  return isNamed || ['application/json', ...types].some((type) => acceptable(header, type, 'any') > 0)
}
