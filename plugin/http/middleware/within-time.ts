import type { IncomingMessage } from 'node:http'
import { CallEnd } from '../../core/call-signal.js'
import { TimedOut } from '../../core/errors.js'
import { unlessAborted } from '../../core/waiting/in-time.js'
import type { Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/**
 * Ends a call that takes too long with 504, before clients give up after 25 seconds (behaviour: Deadlines). Time counts from
 * the last byte of the request: a client may upload for as long as bytes arrive. The signal of the call aborts, so that pending
 * work ends soon and sends nothing; its changes are rolled back unless their commit had begun.
 */
export function withinTime({ callMs }: Pick<HttpDeps, 'callMs'>): Middleware {
  return async (ctx, next) => {
    const end = new CallEnd()
    ctx.state.itsm.signal = end
    const stop = afterSilence(ctx.req, callMs, () => end.abort(new TimedOut()))
    try {
      await unlessAborted(end, next)
    } finally {
      stop()
    }
  }
}

/**
 * Calls `late` when this time has passed since the request began, or since its last byte. Returns a function that prevents it.
 */
function afterSilence(req: IncomingMessage, milliseconds: number, late: () => void): () => void {
  const hasBody = mayHaveBody(req)
  let last = performance.now()
  let bytes = req.socket.bytesRead
  const arrived = () => {
    last = performance.now()
  }
  const check = () => {
    if (hasBody && !req.complete && req.socket.bytesRead > bytes) arrived()
    bytes = req.socket.bytesRead
    const left = last + milliseconds - performance.now()
    if (left <= 0) late()
    else timer = setTimeout(check, left)
  }
  let timer = setTimeout(check, milliseconds)
  if (hasBody) req.once('end', arrived)
  return () => {
    clearTimeout(timer)
    if (hasBody) req.off('end', arrived)
  }
}

/** False for requests that are complete with their headers. HTTP/2 marks them; HTTP/1 announces bodies. */
function mayHaveBody(req: IncomingMessage): boolean {
  if (req.httpVersionMajor > 1) return (req as { stream?: { endAfterHeaders?: boolean } }).stream?.endAfterHeaders !== true
  const { headers } = req
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
}
