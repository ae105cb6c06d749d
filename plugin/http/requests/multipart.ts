/** Multipart bodies: parsed here, into temporary files that are deleted after the request, or by a parser of the host. */
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { BadRequest, Invalid } from '../../core/errors.js'
import { tooBig } from '../../core/file-sizes.js'
import type { Context } from '../contract.js'
import { codingsOf } from './content-codings.js'
import { headerScan } from './part-headers.js'
import { decoded, FILE, fromHost, fromUs, type Multipart, partsOf, type StoredFile, TEXT_BYTES, textIn } from './sent-parts.js'
import { admittedFile, bodyWithin, collectText } from './upload-streams.js'

/** The part of a form that has arrived when the first file begins: the texts before it, and the name of the file. */
export interface BeforeFile {
  /** The first text with this name, regardless of case. */
  text(name: string): string | undefined
  readonly fileName: string
}

export interface MultipartLimits {
  /** Bytes of all files together. */
  readonly limit: number
  /** Decides whether the files are accepted, before any byte of them is stored. Throws if not. */
  admit?(form: BeforeFile): Promise<void>
}

/** Bytes around files and texts: headers of parts, boundaries. */
const FRAME_BYTES = 196_608
/** Formidable's error codes for too many bytes in one file or in all files, and for too many files. */
const TOO_BIG = new Set<unknown>([1009, 1016])
const TOO_MANY = 1015
/** Formidable's error code for an unknown Content-Transfer-Encoding; its status is 5xx, although the client caused it. */
const UNKNOWN_ENCODING = 1014

/**
 * Does the work with the parts of the body; a body of another type has none. Files exist only during the work.
 *
 * @throws Invalid on `file` for a body that is malformed, cut off or too big; BadRequest if the client disconnects
 */
export async function withMultipart<T>(
  ctx: Context,
  limits: MultipartLimits,
  work: (form: Multipart) => Promise<T>,
): Promise<T> {
  const { request } = ctx as { request: { body?: unknown; files?: unknown } }
  if (ctx.req.readableDidRead) {
    const parts = partsOf(request)
    try {
      const form = await fromHost(parts)
      const [file] = form.files
      if (file) await limits.admit?.({ text: form.text, fileName: file.name })
      return await work(form)
    } finally {
      for (const [, { filepath }] of parts.files) await removed(filepath)
    }
  }
  const [coding] = codingsOf(ctx.req)
  if (coding !== undefined)
    throw new BadRequest(`Forms with files cannot be sent with Content-Encoding '${coding.slice(0, 50)}'`)
  const folder = join(tmpdir(), `koa-itsm-${randomUUID()}`)
  try {
    const names = await read(ctx, folder, limits)
    return await work(await fromUs(partsOf(request), names))
  } finally {
    // A file may just be being opened, if the body was refused in the middle.
    await removed(folder)
  }
}

/** The work may be committed and answered: what cannot be removed must not look like a failure of it. */
async function removed(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((error: Error) => process.emitWarning(error))
}

/** Reads the body, and returns the names of its parts. */
async function read(ctx: Context, folder: string, { limit, admit }: MultipartLimits): Promise<readonly string[]> {
  // Loaded with the first form: it takes as long as a tenth of the plugin, and many hosts never get one.
  const { koaBody } = await import('koa-body')
  const names: string[] = []
  const texts: [name: string, text: string][] = []
  const most = limit + TEXT_BYTES + FRAME_BYTES
  const files: Writable[] = []
  let isAdmitted = false
  let admission: Promise<void> | null = null
  let isOver = false
  const begin = async (fileName: string) => {
    // Formidable may open a file after it has failed.
    if (isOver) throw new Error('The body has ended')
    await admit?.({ text: textIn(texts.map(([name, text]) => [name, decoded(text)])), fileName })
    if (Number(ctx.req.headers['content-length'] ?? 0) > most) throw new Invalid([tooBig(FILE, limit)])
    isAdmitted = true
    await mkdir(folder, { mode: 0o700 })
  }
  const parse = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: {
      uploadDir: folder,
      // Two, to distinguish one file too many from a malformed body.
      maxFiles: 2,
      maxFields: 20,
      maxFileSize: limit,
      maxTotalFileSize: limit,
      maxFieldsSize: TEXT_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      // One character per byte: chunks of names and texts may end within a character.
      encoding: 'binary',
      onPart(part, next) {
        // Formidable uses the content type: a file without one would be kept in memory, a text with one in a file.
        names.push(decoded(part.name ?? ''))
        const isFile = part.name === FILE || part.originalFilename !== null
        part.mimetype = isFile ? part.mimetype || 'application/octet-stream' : ''
        if (!isFile) collectText(part, TEXT_BYTES, (text) => texts.push([part.name ?? '', text]))
        next(part)
      },
      fileWriteStreamHandler: (file) => {
        const { filepath, originalFilename } = Object(file) as StoredFile
        admission ??= begin(decoded(originalFilename ?? ''))
        const stream = admittedFile(filepath, () => admission ?? Promise.resolve())
        files.push(stream)
        return stream
      },
    },
  })
  const body = bodyWithin(
    ctx.req,
    () => (isAdmitted ? most : most - limit),
    () => new Invalid([isAdmitted ? tooBig(FILE, limit) : [FILE, 'invalid']]),
    headerScan(ctx.get('Content-Type')),
  )
  try {
    await Promise.race([parse(Object.create(ctx, { req: { value: body } }), async () => {}), brokenOff(ctx.req)])
    // Formidable ignores errors of files that arrived in one chunk.
    for (const file of files) await finished(file)
  } catch (error) {
    // Otherwise formidable would wait for the rest, with open files.
    body.destroy(error instanceof Error ? error : undefined)
    if (ctx.req.destroyed && !ctx.req.complete) throw new BadRequest('The request ended before its body', error)
    throw refusalOf(error, limit)
  } finally {
    // The folder must not be created after it has been removed.
    isOver = true
    await (admission as Promise<void> | null)?.catch(() => undefined)
  }
  return names
}

/** Rejects when the client disconnects. Formidable would wait forever if that happened before it listened. */
function brokenOff(req: IncomingMessage): Promise<never> {
  return new Promise((_, reject) => {
    const check = () => void (req.complete || reject(new Error('The client disconnected')))
    if (req.destroyed) check()
    else req.once('close', check)
  })
}

function refusalOf(error: unknown, limit: number): unknown {
  const { code, httpCode } = Object(error) as { code?: unknown; httpCode?: unknown }
  if (TOO_BIG.has(code)) return new Invalid([tooBig(FILE, limit)])
  if (code === TOO_MANY) return new Invalid([[FILE, 'many_values']])
  // No boundary, a malformed or truncated body, too many parts.
  const isMalformed = code === UNKNOWN_ENCODING || (typeof httpCode === 'number' && httpCode < 500)
  return isMalformed ? new Invalid([[FILE, 'invalid']]) : error
}
