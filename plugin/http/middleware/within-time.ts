import type { IncomingMessage } from 'node:http'
import { CallEnd } from '../../core/call-signal.js'
import { TimedOut } from '../../core/errors.js'
import { unlessAborted } from '../../core/waiting/in-time.js'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/**
 * Ends a call that takes too long with 504, before clients give up after 25 seconds (behaviour: Deadlines). Time counts from
 * the last byte of the request: a client may upload for as long as bytes arrive. It stands still while the call waits because its
 * client has asked for that. The signal of the call aborts, so that pending
 * work ends soon and sends nothing; its changes are rolled back unless their commit had begun.
 */
export function withinTime({ callMs }: Pick<HttpDeps, 'callMs'>): Middleware {
  return async (ctx, next) => {
    const end = new CallEnd()
    ctx.state.itsm.signal = end
    const clock = afterSilence(ctx.req, callMs, () => end.abort(new TimedOut()))
    ctx.state.itsm.untimed = clock.untimed
    try {
      await unlessAborted(end, next)
    } finally {
      clock.stop()
    }
  }
}

/** The time of a call. */
interface CallClock {
  readonly untimed: Context['state']['itsm']['untimed']
  /** Must be called when the call ends. */
  stop(): void
}

/** Calls `late` when this time has passed since the request began, or since its last byte, without what was untimed. */
function afterSilence(req: IncomingMessage, milliseconds: number, late: () => void): CallClock {
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
  return {
    async untimed(work) {
      const since = performance.now()
      clearTimeout(timer)
      try {
        return await work()
      } finally {
        last += performance.now() - since
        check()
      }
    },
    stop() {
      clearTimeout(timer)
      if (hasBody) req.off('end', arrived)
    },
  }
}

/** False for requests that are complete with their headers. HTTP/2 marks them; HTTP/1 announces bodies. */
function mayHaveBody(req: IncomingMessage): boolean {
  if (req.httpVersionMajor > 1) return (req as { stream?: { endAfterHeaders?: boolean } }).stream?.endAfterHeaders !== true
  const { headers } = req
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
}
