/** Decodes bodies that clients have compressed (behaviour: Error responses). */
import type { IncomingMessage } from 'node:http'
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
} from 'node:zlib'
import { BadRequest } from '../../core/errors.js'

/** Maximum number of codings within each other. */
const MAX_CODINGS = 2
/** Characters of an unknown coding that the message shows. */
const MAX_SHOWN = 50

type Decoder = (BrotliDecompress | Gunzip | Inflate) & { readonly bytesWritten: number }

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Decoder> = new Map<string, (bytes: Buffer) => Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Some clients leave out the frame of zlib.
  ['deflate', (bytes) => (isFramed(bytes) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
])

/** The codings of a body, in the order in which they were applied; none for a plain one. */
export function codingsOf({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const names = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

/** @throws BadRequest for codings that are not known, and for too many of them */
export function checkCodings(codings: readonly string[]): void {
  const unknown = codings.find((coding) => !DECODERS.has(coding))
  if (unknown !== undefined)
    throw new BadRequest(
      `Content-Encoding '${unknown.slice(0, MAX_SHOWN)}' is not supported: send gzip, deflate, br or a plain body`,
    )
  if (codings.length > MAX_CODINGS) throw new BadRequest(`A body can have at most ${MAX_CODINGS} encodings`)
}

/**
 * The body without its codings, in chunks. Whatever it would become, no more than the limit is kept of it.
 *
 * @throws BadRequest for bytes that are not in the coding, for what is behind their end, and beyond the limit
 */
export async function withoutCodings(
  sent: readonly Buffer[],
  codings: readonly string[],
  limit: number,
): Promise<readonly Buffer[]> {
  let chunks = sent
  for (const coding of codings.toReversed()) {
    const bytes = Buffer.concat(chunks)
    if (bytes.length > 0) chunks = await decoded(bytes, coding, limit)
  }
  return chunks
}

async function decoded(bytes: Buffer, coding: string, limit: number): Promise<readonly Buffer[]> {
  const decoder = DECODERS.get(coding)?.(bytes)
  if (!decoder) throw new BadRequest(`Content-Encoding '${coding}' is not supported`)
  const chunks: Buffer[] = []
  let size = 0
  decoder.end(bytes)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw new BadRequest(`Body should not have more than ${limit} bytes when it is decompressed`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof BadRequest) throw error
    throw new BadRequest(`The body is not valid ${coding}`, error)
  }
  // What is behind the end would be lost without a word.
  if (decoder.bytesWritten < bytes.length) throw new BadRequest(`The body has more bytes behind the end of its ${coding}`)
  return chunks
}

/** True for the header of zlib: its method, and a checksum of two bytes. */
function isFramed([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}
