/** Answers with a file that somebody else has made: nothing in it may act in the name of this service. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Download } from '../files/files.js'
import { beginAnswer } from './answer.js'
import { hasTag } from './middleware/conditional.js'
import type { Context } from './state.js'

/** Types that browsers show and that can do nothing. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Types whose contents browsers run, or take to be of yet another type. */
const ACTIVE = /html|[/+]xml$|script$|^multipart\/|^message\/|x-shockwave/

/**
 * Answers with the file: images in the page, everything else as a download. The type is what the sender said, unless
 * browsers would run it.
 *
 * @param keepFor seconds for which the client need not ask again
 */
export async function answerFile(ctx: Context, file: Download, { keepFor }: { readonly keepFor?: number }): Promise<void> {
  beginAnswer(ctx)
  const isImage = IMAGES.has(file.type)
  const headers = {
    'Content-Type': ACTIVE.test(file.type) ? 'application/octet-stream' : file.type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Pages of the user interface show files, wherever they are.
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
  // What fails at the first bytes can still be answered as an error.
  if (ctx.method !== 'HEAD') await once(content, 'readable')
  beginAnswer(ctx)
  ctx.set(headers)
  ctx.attachment(file.name, isImage ? { type: 'inline' } : {})
  ctx.status = 200
  ctx.body = content
  ctx.length = file.size
}

/** Bytes of the last piece: few enough to be written at once. */
const TAIL = 1_024

/**
 * The same bytes, ending with the last of them and not when the source ends: a client that has them all may close the
 * connection at once, which must not look like a broken download. The last piece is small, so that its end goes out with it.
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
    // Not awaited: a store may take its time to close.
    void source.return?.().catch(() => undefined)
  }
}
