import { Readable } from 'node:stream'
import type { Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/**
 * Logs errors that occur while a response is being sent; Koa would print them. Clients that close the connection are logged at
 * debug level.
 */
export function logFailures({ log }: Pick<HttpDeps, 'log'>): Middleware {
  return (ctx, next) => {
    const answer = ctx.onerror
    let isLogged = false
    // Koa calls it for all errors after the middleware, only on the context of this request, and possibly several times.
    ctx.onerror = (err: unknown) => {
      if (err === null || err === undefined) return
      if (!ctx.headerSent && ctx.writable) return answer.call(ctx, err as Error)
      if (isLogged) return
      isLogged = true
      const details = { err, requestId: ctx.state.itsm.requestId, method: ctx.method, path: ctx.path }
      if (isFaultOf(ctx.body, err)) log.error(details, 'The response was interrupted')
      else log.debug(details, 'The client closed the connection before the end of the response')
    }
    return next()
  }
}

/** True if the source of the response failed. All other errors are those of the connection. */
function isFaultOf(body: unknown, err: unknown): boolean {
  if (!(body instanceof Readable) || body.errored !== err) return false
  // Node ends a source with this error when its client has disconnected.
  return Object(err).code !== 'ERR_STREAM_PREMATURE_CLOSE'
}
