import { randomUUID } from 'node:crypto'
import { withoutEnd } from '../../core/text/trim.js'
import { setHeaders } from '../answers/answer.js'
import type { HttpState, Middleware } from '../contract.js'

/** Suffixes for a media type; any other text after a dot is part of the name (`request.status`). */
const SUFFIX = /\.(json|xml|csv|html|txt|log|yaml|yml|js|pdf)$/

const SANE_ID = /^[\w.:-]{8,128}$/

/** Headers of all responses. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // Overwritten for scripts, and for files in pages.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-XSS-Protection': '1; mode=block',
  'Content-Security-Policy': "default-src 'none'",
  'Cache-Control': 'max-age=0, private, must-revalidate',
}

/**
 * Begins every response: sets the state of the request, its id and run time, and the headers of all responses (behaviour:
 * Response headers). Responses are private to the caller and may be cached only for revalidation (behaviour: Caching).
 */
export function commonHeaders(): Middleware {
  return async (ctx, next) => {
    const state = begin(ctx.method, ctx.path, ctx.querystring, ctx.get('X-Request-Id'))
    ctx.state.itsm = state
    ctx.set('X-Request-Id', state.requestId)
    setHeaders(ctx, HEADERS)
    if (ctx.secure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    await next()
    ctx.set('X-Runtime', ((performance.now() - state.startedAt) / 1000).toFixed(6))
  }
}

function begin(method: string, fullPath: string, query: string, id: string): HttpState {
  const path = withoutEnd(fullPath, '/')
  const suffix = SUFFIX.exec(path)?.[1] ?? null
  return {
    // The caller's id, if it is a valid text, so that the logs of both sides can be matched.
    requestId: SANE_ID.test(id) ? id : randomUUID(),
    startedAt: performance.now(),
    method: method === 'HEAD' ? 'GET' : method === 'PUT' ? 'PATCH' : method,
    segments: segmentsOf(path, suffix),
    suffix,
    // Splits at the first equals sign and accepts malformed escapes, as the filter grammar needs (behaviour: Filters).
    parameters: query === '' ? [] : [...new URLSearchParams(query)],
    route: null,
    named: {},
    id: 0,
    subId: 0,
    identity: null,
    call: null,
    handling: 'lenient',
    body: {},
    bodies: null,
    figures: null,
    steady: null,
    kept: null,
    signal: null,
    untimed: (work) => work(),
  }
}

function segmentsOf(path: string, suffix: string | null): readonly string[] | null {
  const end = path.length - (suffix === null ? 0 : suffix.length + 1)
  if (end <= 4) return []
  const segments = path.slice(4, end).split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}
