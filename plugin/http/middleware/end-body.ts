import type { IncomingMessage } from 'node:http'
import type { Middleware } from '../contract.js'

/**
 * Bytes of a refused body that are still read: many clients read the response only after they have sent everything. More than
 * the largest JSON body has, which may be refused only because others are in flight.
 */
const MAX_BYTES = 2_097_152
const CHECK_EVERY = 100
const MAX_CHECKS = 50

/**
 * Limits what a client may still send after its response: at most 2 MB, for five seconds. Then the connection is closed.
 * Without a limit, anonymous callers could keep us reading for as long as the server waits for a request.
 */
export function endBody(): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } finally {
      if (!ctx.req.complete) ctx.res.once('finish', () => endSoon(ctx.req))
    }
  }
}

function endSoon(req: IncomingMessage): void {
  const { socket } = req
  const start = socket.bytesRead
  let checks = 0
  req.unpipe()
  req.resume()
  const timer = setInterval(() => {
    checks += 1
    const isOver = checks >= MAX_CHECKS || socket.bytesRead - start > MAX_BYTES
    if (isOver && !req.complete) req.destroy()
    if (isOver || req.complete || req.destroyed) clearInterval(timer)
  }, CHECK_EVERY).unref()
}
