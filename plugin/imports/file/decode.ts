import { ImportStopped } from '../progress/stopped.js'
import { HEAD_BYTES, mistakenFormat } from './recognize.js'

type Encoding = 'utf-8' | 'utf-16le'

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/**
 * Decodes a file chunk by chunk: UTF-8 with or without byte order mark, or UTF-16LE with one (behaviour: Import files). A
 * character that is cut by the end of a chunk is completed with the next. Text before an invalid byte is returned before the
 * error.
 *
 * @throws ImportStopped `invalid_bytes` with the line, and for a file that is recognizably of another format
 */
export async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let encoding: Encoding | null = null
  let rest: Uint8Array = new Uint8Array(0)
  const lines = new LineCounter()

  function text(bytes: Uint8Array, encoding: Encoding, length: number): { text: string; valid: boolean } {
    const all = decoded(bytes.subarray(0, length), encoding)
    const text = all ?? longestValid(bytes.subarray(0, length), encoding)
    lines.count(text)
    return { text, valid: all !== null }
  }

  for await (const chunk of chunks) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (encoding === null) {
      if (bytes.length < HEAD_BYTES) {
        rest = bytes
        continue
      }
      encoding = encodingOf(bytes)
      bytes = withoutMark(bytes, encoding)
    }
    const length = completeLength(bytes, encoding)
    const found = text(bytes, encoding, length)
    if (found.text !== '') yield found.text
    if (!found.valid) throw invalid(encoding, lines.line)
    rest = bytes.subarray(length)
  }
  if (encoding === null) {
    encoding = encodingOf(rest)
    rest = withoutMark(rest, encoding)
  }
  // At the end of the file, a cut character is invalid.
  const last = text(rest, encoding, rest.length)
  if (last.text !== '') yield last.text
  if (!last.valid) throw invalid(encoding, lines.line)
}

/** Counts lines as editors do: LF, CRLF and a single CR each end a line. */
export class LineCounter {
  /** Line of the next character, from 1. */
  line = 1
  /** True if the last character was a carriage return: a line feed then belongs to the same line end. */
  afterReturn = false

  count(text: string): void {
    for (let at = 0; at < text.length; at++) this.countCode(text.charCodeAt(at))
  }

  countCode(code: number): void {
    if (code === CARRIAGE_RETURN || (code === LINE_FEED && !this.afterReturn)) this.line++
    this.afterReturn = code === CARRIAGE_RETURN
  }
}

function encodingOf(bytes: Uint8Array): Encoding {
  const mistake = mistakenFormat(bytes)
  if (mistake !== null) throw new ImportStopped(...mistake)
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
}

function withoutMark(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-16le') return bytes.subarray(2)
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** Returns the number of bytes without a character that is cut at the end. */
function completeLength(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === 'utf-16le') {
    const even = bytes.length - (bytes.length % 2)
    const cutPair = even >= 2 && ((bytes[even - 1] ?? 0) & 0xfc) === 0xd8
    return cutPair ? even - 2 : even
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function decoded(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the text before the first invalid byte. A binary search finds it: all shorter beginnings are valid. */
function longestValid(bytes: Uint8Array, encoding: Encoding): string {
  let good = 0
  let bad = bytes.length
  const attempt = (length: number) => {
    const beginning = bytes.subarray(0, length)
    return decoded(beginning.subarray(0, completeLength(beginning, encoding)), encoding)
  }
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (attempt(middle) === null) bad = middle
    else good = middle
  }
  return attempt(good) ?? ''
}

function invalid(encoding: Encoding, line: number): ImportStopped {
  return new ImportStopped('invalid_bytes', { encoding: encoding.toUpperCase(), line }, line)
}
