/** Bodies of several parts: read by us, into temporary files that are gone when the request is, or by a parser of the host. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { koaBody } from 'koa-body'
import { BadRequest, Invalid } from '../core/errors.js'
import { tooBig } from '../core/file-sizes.js'
import type { Context } from './state.js'

/** A part that is a file: one with a file name, or called `file`. */
export interface SentFile {
  readonly part: string
  /** As the sender calls it; empty when it does not. */
  readonly name: string
  /** Media type, as the sender says; empty when it does not. */
  readonly type: string
  readonly size: number
  /** Bytes only when a parser of the host took the file for a text. */
  readonly content: { readonly temporaryFile: string } | { readonly bytes: Buffer }
}

export interface Multipart {
  /** The first text of that name, without regard to case. */
  text(name: string): string | undefined
  readonly files: readonly SentFile[]
  /** The name of each part, as sent; a name that occurs twice is there twice. */
  readonly names: readonly string[]
}

/** What formidable says of a file, whoever called it. */
interface StoredFile {
  readonly filepath: string
  readonly originalFilename?: string | null
  readonly mimetype?: string | null
}

interface Parts {
  readonly texts: readonly (readonly [name: string, text: string])[]
  readonly files: readonly (readonly [name: string, file: StoredFile])[]
}

/** Bytes of all texts together. */
const TEXT_BYTES = 65_536
const FILE = 'file'
/** What formidable says, in `code`, of too many bytes in a file or in all files, and of too many files. */
const TOO_BIG = new Set<unknown>([1009, 1016])
const TOO_MANY = 1015

/**
 * Does the work with the parts of the body; a body of another kind has none. Files are there only while the work lasts.
 *
 * @param limit bytes of all files together
 * @throws Invalid on `file` for a body that is malformed, cut off or too big; BadRequest when the client breaks off
 */
export async function withMultipart<T>(ctx: Context, limit: number, work: (form: Multipart) => Promise<T>): Promise<T> {
  const { request } = ctx as { request: { body?: unknown; files?: unknown } }
  if (ctx.req.readableDidRead) {
    const parts = partsOf(request)
    try {
      return await work(await fromHost(parts))
    } finally {
      for (const [, { filepath }] of parts.files) await rm(filepath, { force: true })
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'koa-itsm-'))
  try {
    const names = await read(ctx, folder, limit)
    return await work(await fromUs(partsOf(request), names))
  } finally {
    // A file may be opened at this very moment, when the body was refused in the middle.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Reads the body, and returns the names of its parts. */
async function read(ctx: Context, folder: string, limit: number): Promise<readonly string[]> {
  const names: string[] = []
  const parse = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: {
      uploadDir: folder,
      // Two, so that one too many can be told from a body that is malformed.
      maxFiles: 2,
      maxFields: 20,
      maxFileSize: limit,
      maxTotalFileSize: limit,
      maxFieldsSize: TEXT_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      // One character a byte: names and texts may be in pieces that end within a character.
      encoding: 'binary',
      onPart(part, next) {
        // Formidable goes by the content type: a file without one would be kept in memory, a text with one in a file.
        names.push(part.name ?? '')
        part.mimetype = part.name === FILE || part.originalFilename !== null ? part.mimetype || 'application/octet-stream' : ''
        next(part)
      },
    },
  })
  try {
    await Promise.race([parse(ctx, async () => {}), brokenOff(ctx.req)])
  } catch (error) {
    if (ctx.req.destroyed && !ctx.req.complete) throw new BadRequest('The request ended before its body', error)
    throw refusalOf(error, limit)
  }
  return names
}

/** Fails when the client breaks off. Formidable would wait for ever when that was before it listened. */
function brokenOff(req: IncomingMessage): Promise<never> {
  return new Promise((_, reject) => {
    const check = () => void (req.complete || reject(new Error('The client broke off')))
    if (req.destroyed) check()
    else req.once('close', check)
  })
}

function refusalOf(error: unknown, limit: number): unknown {
  const { code, httpCode } = Object(error) as { code?: unknown; httpCode?: unknown }
  if (TOO_BIG.has(code)) return new Invalid([tooBig(FILE, limit)])
  if (code === TOO_MANY) return new Invalid([[FILE, 'many_values']])
  // No boundary, a malformed or truncated body, too many parts.
  return typeof httpCode === 'number' && httpCode < 500 ? new Invalid([[FILE, 'invalid']]) : error
}

function partsOf({ body, files }: { readonly body?: unknown; readonly files?: unknown }): Parts {
  const each = (value: unknown) =>
    Object.entries(Object(value) as object).flatMap(([name, one]) => [one].flat().map((part: unknown) => [name, part] as const))
  return {
    texts: each(body).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])),
    files: each(files).flatMap(([name, file]) => (isStoredFile(file) ? [[name, file] as const] : [])),
  }
}

function isStoredFile(file: unknown): file is StoredFile {
  return typeof (Object(file) as Partial<StoredFile>).filepath === 'string'
}

async function fromUs({ texts, files }: Parts, names: readonly string[]): Promise<Multipart> {
  const decoded = (text: string) => Buffer.from(text, 'latin1').toString('utf8')
  const sent = files.map(([part, file]) => sentFile(part, file, decoded(file.originalFilename ?? '')))
  return multipartOf(
    texts.map(([name, text]) => [name, decoded(text)]),
    await Promise.all(sent),
    names.map(decoded),
  )
}

/** A parser of the host may have taken texts for files, when they have a content type, and files for texts, when not. */
async function fromHost({ texts, files }: Parts): Promise<Multipart> {
  const isFile = ([name, file]: Parts['files'][number]) => name === FILE || Boolean(file.originalFilename)
  const asTexts = files.filter((part) => !isFile(part)).map(async ([name, file]) => [name, await firstBytes(file)] as const)
  const asFiles = texts
    .filter(([name]) => name === FILE)
    .map(([part, text]): SentFile => {
      const bytes = Buffer.from(text)
      return { part, name: '', type: '', size: bytes.length, content: { bytes } }
    })
  const sent = files.filter(isFile).map(([part, file]) => sentFile(part, file, file.originalFilename ?? ''))
  const names = [...texts, ...files].map(([name]) => name)
  return multipartOf([...texts, ...(await Promise.all(asTexts))], [...(await Promise.all(sent)), ...asFiles], names)
}

function multipartOf(texts: Parts['texts'], files: readonly SentFile[], names: readonly string[]): Multipart {
  return { text: (name) => texts.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1], files, names }
}

async function sentFile(part: string, file: StoredFile, name: string): Promise<SentFile> {
  const { size } = await stat(file.filepath)
  return { part, name, type: file.mimetype ?? '', size, content: { temporaryFile: file.filepath } }
}

async function firstBytes({ filepath }: StoredFile): Promise<string> {
  return (await stat(filepath)).size > TEXT_BYTES ? '' : readFile(filepath, 'utf8')
}
