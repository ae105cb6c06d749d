import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { koaBody } from 'koa-body'
import { Invalid } from '../../core/errors.js'
import type { Imports } from '../../imports/imports.js'
import { LARGEST_FILE, type Upload } from '../../imports/upload.js'
import { answerJson } from '../answer.js'
import type { Endpoint } from '../endpoint.js'
import { type Context, parameterOf } from '../state.js'

/** The parts of a multipart body, read by us or by a parser of the host. */
interface Multipart {
  readonly fields: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, unknown>>
  /** How the bytes of the fields became text. */
  readonly encoding: 'utf8' | 'latin1'
}

/** What formidable says of a file, whoever called it. */
interface StoredFile {
  readonly filepath: string
  readonly originalFilename?: string | null
}

/** Bytes of a part that only holds the type, when it comes as a file. */
const LONGEST_TYPE = 1024
/** What formidable says, in `code`, of a part that is too big: more bytes in fields, in a file, in all files. */
const TOO_BIG = new Set<unknown>([1006, 1009, 1016])

/**
 * `POST /import` takes a file in, `GET /import/:token` tells how far it came, and the log is at the address that the
 * progress names, for whoever has that address (spec, Batch import; gaps 4.1).
 */
export function imports({ imports }: { readonly imports: Imports }): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/import',
      body: 'own',
      description: {
        summary: 'Takes an import file in; it is processed in the background',
        body: { 'multipart/form-data': UPLOAD },
        answers: { 200: { description: 'The token under which the progress is.', schema: TOKEN } },
        refusals: [400, 422],
      },
      run: async (ctx, call) => answerJson(ctx, 200, await imports.submit(call, await uploadOf(await parse(ctx)))),
    },
    {
      method: 'GET',
      path: '/import/:token',
      description: {
        summary: 'How far an import is',
        answers: { 200: { description: 'The progress; after the end, the results.', schema: PROGRESS } },
      },
      run: async (ctx, call) => answerJson(ctx, 200, await imports.progress(call, ctx.state.itsm.named['token'] ?? '')),
    },
    {
      method: 'GET',
      path: '/imports/:day/:account/:file',
      anonymous: true,
      suffixes: ['log'],
      description: {
        summary: 'The log of an import, for whoever has the signed address of it',
        parameters: [{ name: 'expires' }, { name: 'signature' }],
        answers: { 200: { description: 'One line an event.', types: ['text/plain; charset=utf-8'] } },
      },
      run: async (ctx) => {
        const { day, account, file = '' } = ctx.state.itsm.named
        const logName = `${day}/${account}/${file.endsWith('.log') ? file : `${file}.log`}`
        const query = { expires: parameterOf(ctx, 'expires') ?? '', signature: parameterOf(ctx, 'signature') ?? '' }
        const lines = await imports.log(logName, query)
        ctx.status = 200
        ctx.set('Content-Type', 'text/plain; charset=utf-8')
        ctx.body = Readable.from(lines)
      },
    },
  ]
}

const UPLOAD = {
  type: 'object',
  properties: { type: { type: 'string' }, file: { type: 'string', format: 'binary' } },
  required: ['type', 'file'],
}
const TOKEN = { type: 'object', properties: { token: { type: 'string' } }, required: ['token'], additionalProperties: false }
const PROGRESS = {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['queued', 'processing', 'done', 'error'] },
    line: { type: ['integer', 'null'] },
    message: { type: 'string' },
    logfile: { type: ['string', 'null'] },
    results: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  required: ['state'],
  additionalProperties: false,
}

/** Reads the multipart body, unless a parser of the host was there first. Leaves no temporary file when that fails. */
async function parse(ctx: Context): Promise<Multipart> {
  const { request } = ctx as { request: { body?: unknown; files?: unknown } }
  if (ctx.req.readableDidRead) return { fields: objectOf(request.body), files: objectOf(request.files), encoding: 'utf8' }
  const begun: string[] = []
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: {
      onFileBegin: (_, file) => begun.push(file.filepath),
      // One for the file, one for a type that comes with a content type and so as a file.
      maxFiles: 2,
      maxFields: 20,
      maxFileSize: LARGEST_FILE,
      maxTotalFileSize: LARGEST_FILE + LONGEST_TYPE,
      maxFieldsSize: LARGEST_FILE + LONGEST_TYPE,
      allowEmptyFiles: true,
      minFileSize: 0,
      // A file part without content type is taken for a text: one character a byte, it still can be UTF-16.
      encoding: 'binary',
    },
  })
  try {
    await read(ctx, async () => {})
  } catch (error) {
    for (const path of begun) await rm(path, { force: true })
    throw refusalOf(error)
  }
  return { fields: objectOf(request.body), files: objectOf(request.files), encoding: 'latin1' }
}

/** Picks the file and its type out of the parts; temporary files that are not needed are removed. */
async function uploadOf({ fields, files, encoding }: Multipart): Promise<Upload> {
  const stored = Object.entries(files).flatMap(([name, value]) => listOf(value).map((file) => ({ name, file })))
  const file = stored.find(({ name }) => name === 'file')?.file ?? null
  try {
    const typeFile = stored.find(({ name }) => name === 'type')?.file
    const type =
      firstText(fields['type']) ??
      (typeFile ? (await readFile(typeFile.filepath)).subarray(0, LONGEST_TYPE).toString() : undefined)
    const text = firstText(fields['file'])
    if (file) {
      return { type: type?.trim(), fileName: nameOf(file, encoding), content: { temporaryFile: file.filepath } }
    }
    const content = text === undefined ? null : Readable.from([Buffer.from(text, encoding)])
    return { type: type?.trim(), fileName: 'file', content }
  } finally {
    for (const other of stored) if (other.file !== file) await rm(other.file.filepath, { force: true })
  }
}

function refusalOf(error: unknown): unknown {
  const { code, httpCode } = Object(error) as { code?: unknown; httpCode?: unknown }
  if (TOO_BIG.has(code)) return new Invalid([['file', 'file_too_big']])
  // No boundary, a malformed or truncated body, too many parts.
  return typeof httpCode === 'number' && httpCode < 500 ? new Invalid([['file', 'invalid']]) : error
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): readonly StoredFile[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((file): file is StoredFile => typeof objectOf(file)['filepath'] === 'string')
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : undefined
}

function nameOf({ originalFilename }: StoredFile, encoding: 'utf8' | 'latin1'): string {
  return Buffer.from(originalFilename ?? 'file', encoding).toString('utf8')
}
