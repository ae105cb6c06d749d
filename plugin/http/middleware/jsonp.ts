import { PROBLEM_TYPE } from '../answers/problem-details.js'
import { type Context, type Middleware, parameterOf } from '../contract.js'
import type { ErrorDeps } from '../deps.js'
import { answerError } from './answer-errors.js'

const CALLBACK = /^[A-Za-z_$][A-Za-z0-9_$.]*$/
/** Headers that meta repeats. Never copy others: the page can read them, and `Set-Cookie` would leak the host's session. */
const REPEATED = [
  'Content-Language',
  'Content-Type',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
  'X-Pagination-Total-Pages',
  'X-Pagination-Total-Entries',
  'X-Pagination-Throttled',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]

/** The callback of a GET, valid or not; undefined for other verbs, which ignore it (behaviour: JSON-P). */
export function callbackOf(ctx: Context): string | undefined {
  return ctx.state.itsm.method === 'GET' ? parameterOf(ctx, 'callback') : undefined
}

/** True if the name can only be that of a function. */
export function isCallback(name: string): boolean {
  return CALLBACK.test(name)
}

/**
 * JSON-P: wraps the response, also that of an error, in a call of the named function with meta and data (spec, Conventions 9;
 * behaviour: JSON-P). An invalid name is refused later, when the caller is known, with plain JSON. `authenticate` decides which
 * credentials count.
 */
export function jsonP(deps: ErrorDeps): Middleware {
  return async (ctx, next) => {
    const callback = callbackOf(ctx)
    if (callback !== undefined) ctx.vary('Sec-Fetch-Site')
    if (callback === undefined || !isCallback(callback)) return next()
    try {
      await next()
    } catch (error) {
      answerError(deps, ctx, error)
    }
    if (ctx.response.is('json', PROBLEM_TYPE) && typeof ctx.body === 'string') wrap(ctx, callback, ctx.body)
  }
}

function wrap(ctx: Context, callback: string, body: string): void {
  const meta: Record<string, unknown> = { status: ctx.status }
  for (const name of REPEATED) {
    const value = ctx.response.get(name)
    if (value) meta[name] = name === 'Link' ? linksOf(value) : value
  }
  // In older browsers these two end a line in scripts, although JSON may contain them.
  const data = `${JSON.stringify(meta)},"data":${body}`.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  ctx.status = 200
  ctx.set({ 'Content-Type': 'application/javascript; charset=utf-8', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  ctx.remove('WWW-Authenticate')
  // With the comment, browsers cannot take the response for a file of another format that begins with the chosen name.
  ctx.body = `/**/${callback}({"meta":${data}});`
}

function linksOf(header: string): [string, { rel: string }][] {
  return [...header.matchAll(/<([^<>]*)>; rel="([^"]*)"/g)].map(([, url = '', rel = '']) => [url, { rel }])
}
