/** Reads the bytes of a request, up to a limit. */
import type { IncomingMessage } from 'node:http'
import { BadRequest, ItsmError } from '../../core/errors.js'
import { checkCodings, codingsOf, withoutCodings } from './content-codings.js'

/** True if the request has a body, even an empty one over HTTP/2. */
export function hasBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  // HTTP/2 does not announce bodies.
  return httpVersionMajor > 1 || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** What happens when a body turns out to be large: when it announces its length, or when so many bytes have arrived. */
export interface WhenLarge {
  /** Bytes. */
  readonly above: number
  /** Called once. Throws to refuse the body. */
  enter(): void
}

/** @throws ItsmError with status 413 beyond the limit, what `enter` throws */
export function checkSize(bytes: number, limit: number, large: WhenLarge): void {
  if (bytes > limit) throw tooBig(limit)
  if (bytes > large.above) large.enter()
}

/** The length that a request announces; 0 if it announces none. */
function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/**
 * All bytes of the request without its content codings, in chunks.
 *
 * @throws ItsmError with status 413 beyond the limit, BadRequest for codings that cannot be read or become larger than that, and if
 *   the client closes the connection; what `enter` throws
 */
export async function readAll(req: IncomingMessage, limit: number, large?: WhenLarge): Promise<readonly Buffer[]> {
  const codings = codingsOf(req)
  checkCodings(codings)
  const sent = await readSent(req, limit, large)
  if (codings.length === 0) return sent
  const chunks = await withoutCodings(sent, codings, limit)
  if (large) checkSize(sizeOf(chunks), limit, large)
  return chunks
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/**
 * All bytes of the request as they were sent, in chunks as they arrive. Stops storing them at the limit; Node discards the rest, so that the connection stays usable.
 *
 * @throws ItsmError with status 413 beyond the limit, BadRequest if the client closes the connection, what `enter` throws
 */
async function readSent(req: IncomingMessage, limit: number, large?: WhenLarge): Promise<readonly Buffer[]> {
  const announced = announcedLength(req)
  if (announced > limit) throw tooBig(limit)
  let isSmall = large !== undefined
  const enterAbove = (bytes: number) => {
    if (!isSmall || !large || bytes <= large.above) return
    isSmall = false
    large.enter()
  }
  enterAbove(announced)
  // It would not tell again that it was closed.
  if (req.destroyed) throw brokenOff()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = () => req.off('data', take).off('end', finish).off('close', fail).off('error', fail)
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      try {
        if (size > limit) throw tooBig(limit)
        enterAbove(size)
      } catch (error) {
        stop()
        req.resume()
        reject(error)
      }
    }
    const finish = () => {
      stop()
      resolve(chunks)
    }
    const fail = () => {
      stop()
      reject(brokenOff())
    }
    req.on('data', take).on('end', finish).on('close', fail).on('error', fail)
  })
}

function brokenOff(): BadRequest {
  return new BadRequest('The request ended before its body')
}

/** The refusal of a body with more bytes than the limit. */
export function tooBig(limit: number): ItsmError {
  const size = limit < 2 ** 20 ? `${limit / 2 ** 10} KB` : `${limit / 2 ** 20} MB`
  return new ItsmError(413, `Body is too big (maximum is ${size})`)
}
