import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isText } from '../answer.js'
import type { Context, Middleware } from '../state.js'

/** Shorter answers fit into a packet anyway. */
const MIN_BYTES = 1_024
/** Of 1 to 9: JSON with its repeated names shrinks to a tenth on every level, and this one takes half the time of the usual 6. */
const LEVEL = 4

const compressed = promisify(gzip)

/**
 * Compresses texts for clients that accept gzip (behaviour: Response headers). Stands around everything that writes or tags
 * texts, so that the tag stays that of the plain text. Leaves compressing to a host that does it: koa-compress lists
 * Accept-Encoding in Vary before it calls us. Answers marked `no-transform` hold a secret, whose length must not show in that
 * of the answer (BREACH).
 */
export function compress(): Middleware {
  return async (ctx, next) => {
    const isDoneByHost = /(^|[\s,])accept-encoding($|[\s,])/i.test(String(ctx.response.get('Vary')))
    await next()
    if (!isText(ctx.body) && ctx.status !== 304) return
    varyByEncoding(ctx)
    // The header is looked at first: reading it properly takes a while, and many programs send none.
    if (isDoneByHost || ctx.get('Accept-Encoding') === '' || !isWorthIt(ctx)) return
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
    ctx.body = await compressed(ctx.body as string | Buffer, { level: LEVEL })
    ctx.set('Content-Encoding', 'gzip')
  }
}

/** Adds to the header what `ctx.vary` would, which reads the whole list for it. */
function varyByEncoding(ctx: Context): void {
  const listed = String(ctx.response.get('Vary'))
  if (listed === '' || listed === '*' || /accept-encoding/i.test(listed)) ctx.vary('Accept-Encoding')
  else ctx.set('Vary', `${listed}, Accept-Encoding`)
}

function isWorthIt({ body, response }: Context): boolean {
  if (!isText(body) || Buffer.byteLength(body) < MIN_BYTES) return false
  return !response.get('Content-Encoding') && !/\bno-transform\b/.test(response.get('Cache-Control'))
}
