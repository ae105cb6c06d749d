import { Readable } from 'node:stream'
import type { HttpDeps } from '../deps.js'
import type { Middleware } from '../state.js'

/**
 * Sends errors to our log that occur while an answer is on its way; Koa would print them. Clients that close the connection
 * are of interest only to those who look for them.
 */
export function logFailures({ log }: Pick<HttpDeps, 'log'>): Middleware {
  return (ctx, next) => {
    const answer = ctx.onerror
    let isLogged = false
    // Koa calls it for whatever goes wrong after the middleware, on the context of this request only, and more than once.
    ctx.onerror = (err: unknown) => {
      if (err === null || err === undefined) return
      if (!ctx.headerSent && ctx.writable) return answer.call(ctx, err as Error)
      if (isLogged) return
      isLogged = true
      const details = { err, requestId: ctx.state.itsm.requestId, method: ctx.method, path: ctx.path }
      if (isFaultOf(ctx.body, err)) log.error(details, 'The answer broke off')
      else log.debug(details, 'The client closed the connection before the end of the answer')
    }
    return next()
  }
}

/** True when the source of the answer failed. All other errors are those of the connection. */
function isFaultOf(body: unknown, err: unknown): boolean {
  if (!(body instanceof Readable) || body.errored !== err) return false
  // With this error Node ends a source whose client has gone.
  return Object(err).code !== 'ERR_STREAM_PREMATURE_CLOSE'
}
