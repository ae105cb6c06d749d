import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isText } from '../answers/answer.js'
import type { Context, Middleware } from '../contract.js'

/** Bytes: a shorter response fits into a packet anyway. */
const MIN_BYTES = 1_024
/** Level from 1 to 9: JSON with its repeated names shrinks to a tenth at every level; this one takes half the time of 6. */
const LEVEL = 4

const compressed = promisify(gzip)

/**
 * Compresses texts for clients that accept gzip (behaviour: Response headers). Runs around all middleware that writes or tags
 * texts, so that the tag is that of the plain text. Does nothing if the host compresses: koa-compress adds Accept-Encoding to
 * Vary before it calls us. Responses marked `no-transform` contain a secret, whose length must not show in the compressed
 * length (BREACH).
 */
export function compress(): Middleware {
  return async (ctx, next) => {
    const isDoneByHost = /(^|[\s,])accept-encoding($|[\s,])/i.test(String(ctx.response.get('Vary')))
    await next()
    if (!isText(ctx.body) && ctx.status !== 304) return
    varyByEncoding(ctx)
    // Tested first: parsing the header takes time, and many programs do not send it.
    if (isDoneByHost || ctx.get('Accept-Encoding') === '' || !isWorthIt(ctx)) return
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
    const { kept } = ctx.state.itsm
    const isKept = kept !== null && ctx.body === kept.bytes
    ctx.body = await (isKept ? kept.gzip() : compressed(ctx.body as string | Buffer, { level: LEVEL }))
    ctx.set('Content-Encoding', 'gzip')
  }
}

/** Adds to the header like `ctx.vary`, which would parse the whole list. */
function varyByEncoding(ctx: Context): void {
  // Koa has undefined for a header that is not set.
  const listed = String(ctx.response.get('Vary') || '')
  if (listed === '' || listed === '*' || /accept-encoding/i.test(listed)) ctx.vary('Accept-Encoding')
  else ctx.set('Vary', `${listed}, Accept-Encoding`)
}

function isWorthIt({ body, response }: Context): boolean {
  if (!isText(body) || Buffer.byteLength(body) < MIN_BYTES) return false
  return !response.get('Content-Encoding') && !/\bno-transform\b/.test(response.get('Cache-Control'))
}
