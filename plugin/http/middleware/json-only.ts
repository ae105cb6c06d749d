import { BadRequest, NotAcceptable, NotFound } from '../../core/errors.js'
import type { Context, Middleware } from '../state.js'
import { callbackOf, isCallback } from './jsonp.js'

/**
 * Refuses what can be refused before any work is done: unknown paths and verbs (404), media types that the path does not offer
 * (406; spec, Conventions 3), and invalid names of callbacks (400).
 */
export function jsonOnly(): Middleware {
  return (ctx, next) => {
    const { route, suffix } = ctx.state.itsm
    if (route === null) throw new NotFound()
    const isOffered = suffix === null ? acceptsJson(ctx) : suffix === 'json' || route.suffixes?.includes(suffix)
    if (!isOffered && !route.anyMedia) throw new NotAcceptable()
    const callback = callbackOf(ctx)
    if (callback !== undefined && !isCallback(callback)) throw new BadRequest("Parameter 'callback' must name a function")
    return next()
  }
}

function acceptsJson(ctx: Context): boolean {
  const header = ctx.get('Accept').trim()
  if (header === '' || header === '*/*') return true
  const types = callbackOf(ctx) === undefined ? [] : ['application/javascript', 'text/javascript']
  return ['application/json', ...types].some((type) => accepts(header, type))
}

/** True if the most specific range for the type is not refused. Parameters such as charset have no effect. */
function accepts(header: string, type: string): boolean {
  const ranges = header.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const range = ranges.find(([name]) => name === wanted)
    if (range) return !range.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter))
  }
  return false
}
