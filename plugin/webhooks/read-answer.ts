/**
 * Reads the beginning of what a receiver responds, for the log of deliveries. Whatever the receiver sends, and however long, it is
 * a success or a failure by its status alone (behaviour: Log of deliveries).
 */

import { TextDecoder } from 'node:util'
import { unlessAborted } from '../core/waiting/in-time.js'

/** Characters and bytes of an answer that are kept. */
const MAX_KEPT = 1024
/** Bytes that are looked at, so that a secret at the end of what is kept is found as a whole. */
const LOOKED_AT = 4 * MAX_KEPT
/** Maximum bytes of a response that are read to reuse its connection; after a longer one the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024

const NOTHING = Buffer.alloc(0)

/** The beginning of a body that comes in chunks. */
export interface Beginning {
  /** Takes the next chunk. False when no more is wanted: then the connection is closed. */
  add(chunk: Uint8Array): boolean
  bytes(): Buffer
}

/** @param length that the receiver has announced, if it has: what is too long to be read is read no further than needed */
export function createBeginning(length = 0): Beginning {
  const kept: Uint8Array[] = []
  const most = length > MAX_RESPONSE_BYTES ? LOOKED_AT : MAX_RESPONSE_BYTES
  let seen = 0
  return {
    add(chunk) {
      if (seen < LOOKED_AT) kept.push(chunk.subarray(0, LOOKED_AT - seen))
      seen += chunk.byteLength
      return seen < most
    },
    bytes: () => (seen === 0 ? NOTHING : Buffer.concat(kept)),
  }
}

/** Reads the beginning of a fetched body, and ends the body. Ends at the signal, and at an error, with what has come so far. */
export async function beginningOfRead(reader: BodyReader, signal: AbortSignal): Promise<Buffer> {
  const beginning = createBeginning()
  try {
    for (let isWanted = true; isWanted; ) {
      const { done, value } = await unlessAborted(signal, () => reader.read())
      isWanted = !done && value !== undefined && beginning.add(value)
    }
  } catch {
    // What has come so far is what there is to show.
  } finally {
    // Also ends a read that would never return.
    reader.cancel().catch(() => undefined)
  }
  return beginning.bytes()
}

/** Reader of a body, as far as it is needed: `read` and `cancel`. */
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
