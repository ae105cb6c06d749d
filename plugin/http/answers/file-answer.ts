/** Sends an uploaded file. Its content is untrusted: browsers must never run it in this origin. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Download } from '../../files/files.js'
import type { Context } from '../contract.js'
import { hasTag } from '../requests/etags.js'
import { beginAnswer } from './answer.js'

/** Types that browsers show and never run. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Types that browsers run, or interpret as another type. */
const ACTIVE = /html|[/+]xml$|script$|^multipart\/|^message\/|x-shockwave/

/**
 * Sends the file: images in the page, everything else as a download. The type is that of the upload, unless browsers would run
 * it.
 *
 * @param keepFor seconds for which the client may use its copy
 */
export async function answerFile(ctx: Context, file: Download, { keepFor }: { readonly keepFor?: number }): Promise<void> {
  beginAnswer(ctx)
  const isImage = IMAGES.has(file.type)
  const headers = {
    'Content-Type': ACTIVE.test(file.type) ? 'application/octet-stream' : file.type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Pages of the user interface show files from any origin.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: `"${file.sha256}"`,
    ...(keepFor === undefined ? {} : { 'Cache-Control': `max-age=${keepFor}, private` }),
  }
  if (hasTag(ctx, file.sha256)) {
    ctx.set(headers)
    ctx.status = 304
    return
  }
  const content = Readable.from(endingAt(file.content(), file.size))
  // If the first bytes fail, an error can still be sent.
  if (ctx.method !== 'HEAD') await once(content, 'readable')
  beginAnswer(ctx)
  ctx.set(headers)
  ctx.attachment(file.name, isImage ? { type: 'inline' } : {})
  ctx.status = 200
  ctx.body = content
  ctx.length = file.size
}

/** Bytes of the last chunk: few enough to be written at once. */
const TAIL = 1_024

/**
 * Passes the bytes on, and ends after the last of them, even if the source has not ended: a client that has all bytes may close
 * the connection at once, which must not look like an interrupted download. The last chunk is small, so that the end is sent
 * with it.
 */
async function* endingAt(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const source = content[Symbol.asyncIterator]()
  let left = size
  try {
    while (left > 0) {
      const { done, value } = await source.next()
      if (done) throw new Error(`A file of ${size} bytes ended ${left} bytes too early`)
      left -= value.length
      if (left < 0) throw new Error(`A file of ${size} bytes has more of them`)
      if (left > 0) yield value
      else yield* [value.subarray(0, -TAIL), value.subarray(-TAIL)].filter(({ length }) => length > 0)
    }
  } finally {
    // Not awaited: closing a store may take time.
    void source.return?.().catch(() => undefined)
  }
}
