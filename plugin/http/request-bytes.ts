/** Reads the bytes of a request, up to a limit. */
import type { IncomingMessage } from 'node:http'
import { BadRequest, ItsmError } from '../core/errors.js'

/** True if the request has a body, even an empty one over HTTP/2. */
export function hasBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  // HTTP/2 does not announce bodies.
  return httpVersionMajor > 1 || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * All bytes of the request. Stops storing them at the limit; Node discards the rest, so that the connection stays usable.
 *
 * @throws ItsmError with status 413 beyond the limit, BadRequest if the client closes the connection
 */
export function readAll(req: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) return Promise.reject(tooBig(limit))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = () => req.off('data', take).off('end', finish).off('close', fail).off('error', fail)
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      stop()
      req.resume()
      reject(tooBig(limit))
    }
    const finish = () => {
      stop()
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    }
    const fail = () => {
      stop()
      reject(new BadRequest('The request ended before its body'))
    }
    req.on('data', take).on('end', finish).on('close', fail).on('error', fail)
  })
}

function tooBig(limit: number): ItsmError {
  const size = limit < 2 ** 20 ? `${limit / 2 ** 10} KB` : `${limit / 2 ** 20} MB`
  return new ItsmError(413, `Body is too big (maximum is ${size})`)
}
