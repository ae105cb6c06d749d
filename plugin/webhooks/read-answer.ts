/**
 * Reads the beginning of what a receiver responds, for the log of deliveries. Whatever the receiver sends, and however long, it is
 * a success or a failure by its status alone (behaviour: Log of deliveries).
 */

import { TextDecoder } from 'node:util'

/** Characters and bytes of an answer that are kept. */
const MAX_KEPT = 1024
/** Bytes that are looked at, so that a secret at the end of what is kept is found as a whole. */
const LOOKED_AT = 4 * MAX_KEPT
/** Maximum bytes of a response that are read to reuse its connection; after a longer one the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** Where the bytes of a body come from: a stream of Node, or that of a fetch. */
type Chunks = AsyncIterable<Uint8Array>

/**
 * Reads a body to its end, at most 64 KB, and returns its beginning. Ends at the signal, and at an error, with what has come so far.
 *
 * @param length that the receiver has announced, if it has: what is too long to be read is read no further than needed
 */
export async function beginningOf(body: Chunks, signal: AbortSignal, length?: number): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let [seen, looked] = [0, 0]
  const most = (length ?? 0) > MAX_RESPONSE_BYTES ? LOOKED_AT : MAX_RESPONSE_BYTES
  const chunks = body[Symbol.asyncIterator]()
  const end = () => void chunks.return?.().catch(() => undefined)
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), stopped])
      if (next === 'stopped') break
      if (next.done) return Buffer.concat(kept)
      const { value } = next
      seen += value.byteLength
      if (looked < LOOKED_AT) kept.push(value.subarray(0, LOOKED_AT - looked))
      looked += value.byteLength
      if (seen >= most) break
    }
    end()
  } catch {
    end()
  }
  return Buffer.concat(kept)
}

/** Does the same with the reader of a fetched body, and ends the body. */
export async function beginningOfRead(reader: BodyReader, signal: AbortSignal): Promise<Buffer> {
  const chunks = (async function* () {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || value === undefined) return
      yield value
    }
  })()
  try {
    return await beginningOf(chunks, signal)
  } finally {
    // Also ends a read that would never return.
    reader.cancel().catch(() => undefined)
  }
}

/** Reader of a body. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<unknown>
}

/**
 * Returns the beginning of an answer as text: at most 1 KB, without secrets of the request. Bytes that its charset does not know,
 * and control characters, become U+FFFD. An unknown charset is read as UTF-8.
 */
export function textOfAnswer(bytes: Buffer, contentType: string | null | undefined, mask: (text: string) => string): string {
  const text = mask(decoderFor(bytes, contentType).decode(bytes)).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
  return cutToBytes(text, MAX_KEPT)
}

function decoderFor(bytes: Buffer, contentType: string | null | undefined): TextDecoder {
  const [, charset = ''] = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(contentType ?? '') ?? []
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(charset || marked)
  } catch {
    return new TextDecoder()
  }
}

/** The longest beginning of a text that has at most so many bytes in UTF-8. */
function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  // Not in the middle of a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString()
}
