/** Streams between a request and the temporary files of its parts, with limits. */
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Transform, Writable } from 'node:stream'

/** Creates a stream into a temporary file, which is created, and accepts bytes, only after the admission. */
export function admittedFile(path: string, admission: () => Promise<void>): Writable {
  let file: FileHandle | null = null
  const after = (work: Promise<unknown> | undefined, done: (error?: Error | null) => void) =>
    void Promise.resolve(work).then(() => done(), done)
  const begin = async () => {
    await admission()
    file = await open(path, 'wx')
  }
  return new Writable({
    construct: (done) => after(begin(), done),
    write: (bytes: Buffer, _, done) => after(file?.appendFile(bytes), done),
    destroy: (error, done) => after(file?.close(), (failure) => done(error ?? failure ?? null)),
  })
}

/**
 * The body of a request, with the headers of the request. Fails with the refusal as soon as it is longer than the limit, and
 * like a malformed body if the scan of its chunks returns false.
 */
export function bodyWithin(
  req: IncomingMessage,
  bound: () => number,
  refusal: (length: number) => Error,
  scan: (bytes: Buffer) => boolean,
): IncomingMessage {
  let length = 0
  const body = new Transform({
    transform(bytes: Buffer, _, done) {
      length += bytes.length
      if (length > bound()) done(refusal(length))
      else if (!scan(bytes)) done(Object.assign(new Error('The headers of a part are too long'), { httpCode: 400 }))
      else done(null, bytes)
    },
  })
  // Formidable begins to listen a little later, and never if the client has already disconnected.
  body.on('error', () => undefined)
  req.pipe(body)
  return Object.assign(body, { headers: req.headers }) as unknown as IncomingMessage
}

/** Collects the text of a part, one character per byte, of at most `limit` bytes; a longer one is cut off. */
export function collectText(part: NodeJS.EventEmitter, limit: number, take: (text: string) => void): void {
  let text = ''
  part.on('data', (bytes: Buffer) => {
    if (text.length <= limit) text += bytes.toString('latin1')
  })
  part.on('end', () => take(text))
}
