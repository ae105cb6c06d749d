import { createReadStream } from 'node:fs'
import type { Call } from '../../core/call.js'
import { Invalid, TooManyRequests, Unauthenticated } from '../../core/errors.js'
import { createTurns } from '../../core/waiting/turns.js'
import type { Files } from '../../files/files.js'
import type { Uploader } from '../../files/uploads.js'
import { answerJson } from '../answers/answer.js'
import { answerFile } from '../answers/file-answer.js'
import { type Context, type Endpoint, parameterOf, type Receiving } from '../contract.js'
import { digestOfForm } from '../requests/digest-of-form.js'
import { type BeforeFile, withMultipart } from '../requests/multipart.js'
import type { Multipart, SentFile } from '../requests/sent-parts.js'

export interface AttachmentDeps {
  readonly files: Omit<Files, 'addresses'>
  readonly baseUrl: string
  /** Prefixes of headers and of the parts of a form (behaviour: Response headers). */
  readonly headerPrefixes: readonly string[]
}

/** Uploads with credentials, and with only the entries of a form. Each may occupy a temporary file of the maximum size. */
const UPLOADS = { waiting: 200, waitingPerKey: 50, refusal: tooManyUploads, longest: 300_000 }
const OF_CALLERS = { ...UPLOADS, atOnce: 64, atOncePerKey: 8 }
const OF_FORMS = { ...UPLOADS, atOnce: 16, atOncePerKey: 4 }

/**
 * `GET /attachments/storage` returns the upload form, and `POST /attachments` stores a file. Attachments are at the URL that
 * the record shows, for everybody who has that URL. Pictures have URLs of their own (behaviour: Attachments, Pictures).
 */
export function attachments(deps: AttachmentDeps): readonly Endpoint[] {
  const { files, baseUrl } = deps
  const prefixes = deps.headerPrefixes.map((prefix) => prefix.toLowerCase())
  const takeIn = takesUploads(deps, prefixes)
  return [
    {
      method: 'GET',
      path: '/attachments/storage',
      forWriting: true,
      description: {
        operation: 'read_storage_form',
        summary: 'Ask how to upload files',
        description: 'The form with which a file is uploaded before a record takes it.',
        answers: { 200: { description: 'The form.', schema: STORAGE } },
      },
      run(ctx, call) {
        const { key, expiration, signature } = files.form(call)
        ctx.vary(deps.headerPrefixes.map((name) => `${name}Source`))
        const prefix = prefixes.find((one) => HEADERS.some((name) => ctx.get(one + name) !== '')) ?? prefixes[0]
        answerJson(ctx, 200, {
          size_limit: files.sizeLimit,
          allowed_extensions: files.allowedExtensions,
          provider: 'local',
          upload_uri: `${baseUrl}/attachments`,
          local: { key, [`${prefix}expiration`]: expiration, [`${prefix}signature`]: signature },
        })
      },
    },
    {
      method: 'POST',
      path: '/attachments',
      anonymous: true,
      body: 'own',
      description: {
        operation: 'upload_file',
        summary: 'Upload a file',
        description: 'Stores a file for a record to take. Needs credentials or the entries of the form.',
        body: { 'multipart/form-data': UPLOAD },
        answers: { 200: { description: 'What the file is called when a record takes it.', schema: UPLOADED } },
      },
      post: { receive: takeIn },
    },
    {
      method: 'GET',
      path: '/attachments/:account/:upload/:name',
      anonymous: true,
      anyMedia: true,
      uncounted: true,
      description: {
        operation: 'download_attachment',
        summary: 'Download an attachment',
        description: 'Everybody with the signed address gets the file, until the address expires.',
        parameters: [{ name: 'expires' }, { name: 'signature' }],
        answers: { 200: { description: 'The file.', files: ['application/octet-stream', '*/*'] } },
      },
      async run(ctx) {
        const query = { expires: parameterOf(ctx, 'expires') ?? '', signature: parameterOf(ctx, 'signature') ?? '' }
        await answerFile(ctx, await files.attachment(keyOf('attachments', ctx), query), {})
      },
    },
    {
      method: 'GET',
      path: '/pictures/:account/:upload/:name',
      anonymous: true,
      anyMedia: true,
      uncounted: true,
      description: {
        operation: 'download_picture',
        summary: 'Download a picture',
        description: 'Everybody with the address gets the image.',
        answers: { 200: { description: 'The image.', files: ['application/octet-stream', 'image/*'] } },
      },
      run: async (ctx) => answerFile(ctx, await files.picture(keyOf('pictures', ctx)), { keepFor: A_DAY }),
    },
  ]
}

/** Request headers whose prefix shows which prefix the caller uses. */
const HEADERS = ['Account', 'Language', 'Source']

/** Seconds. A new picture of a record has a new URL, so old pictures are not shown any longer than that. */
const A_DAY = 86_400

const STORAGE = {
  title: 'StorageForm',
  type: 'object',
  properties: {
    size_limit: { type: 'integer' },
    allowed_extensions: { type: 'array', items: { type: 'string' } },
    provider: { type: 'string', enum: ['local'] },
    upload_uri: { type: 'string' },
    local: {
      title: 'StorageFormEntries',
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Entries of the form, to be sent before the file.',
    },
  },
  required: ['size_limit', 'allowed_extensions', 'provider', 'upload_uri', 'local'],
  additionalProperties: false,
}
const UPLOAD = {
  title: 'FileUpload',
  type: 'object',
  properties: { key: { type: 'string' }, file: { type: 'string', format: 'binary' } },
  required: ['file'],
}
const UPLOADED = {
  title: 'UploadedFile',
  type: 'object',
  properties: { key: { type: 'string' } },
  required: ['key'],
  additionalProperties: false,
}

/** The key in a path; the end of a name is not a suffix for a media type. */
function keyOf(kind: string, ctx: Context): string {
  const { named, suffix } = ctx.state.itsm
  const { account, upload, name } = named
  return `${kind}/${account}/${upload}/${name}${suffix === null ? '' : `.${suffix}`}`
}

/**
 * Stores a file. Refuses whatever can be refused before it stores the first byte: anonymous callers must send the entries of a
 * form before the file, others may send them in any order.
 */
function takesUploads({ files }: AttachmentDeps, prefixes: readonly string[]): Receiving['receive'] {
  const [ofCallers, ofForms] = [createTurns(OF_CALLERS), createTurns(OF_FORMS)]
  return async (ctx, call, respond) => {
    let leave = () => {}
    let admitted: Uploader | null = null
    const admit = async (form: BeforeFile) => {
      const signed = signedUploader(files, prefixes, form.text)
      const uploader = signed ?? uploaderIn(call)
      if (signed) await files.admit(signed)
      const key = form.text('key')
      if (key !== undefined && form.fileName !== '') files.check(uploader, { key, name: form.fileName })
      leave = await (call.actor ? ofCallers : ofForms).enter(`${uploader.accountId} ${uploader.personId}`)
      admitted = signed
    }
    try {
      await withMultipart(ctx, { limit: files.sizeLimit, admit }, async (form) => {
        const signed = admitted ?? signedUploader(files, prefixes, form.text)
        if (signed && !admitted) await files.admit(signed)
        const uploader = signed ?? uploaderIn(call)
        const by = { accountId: uploader.accountId, personId: uploader.personId ?? 0 }
        // Bytes are stored in transactions of their own; a file that nobody has been told of is removed by the cleanup.
        await respond({ by, digest: () => digestOfForm(form), isOutside: true }, async () => {
          const { key } = await files.upload(uploader, uploadOf(form))
          return { status: 200, value: { key } }
        })
      })
    } finally {
      leave()
    }
  }
}

/** A returned form acts for the person who requested it, regardless of credentials. Null without a signature. */
function signedUploader(
  files: Pick<Files, 'uploaderOf'>,
  prefixes: readonly string[],
  text: Multipart['text'],
): Uploader | null {
  const entry = (name: string) => prefixes.map((prefix) => text(prefix + name)).find((value) => value !== undefined)
  const signature = entry('signature')
  if (signature === undefined) return null
  return files.uploaderOf(text('key') ?? '', { expiration: entry('expiration') ?? '', signature })
}

function uploaderIn({ actor, account }: Call): Uploader {
  if (!actor) throw new Unauthenticated(true)
  return { accountId: account.id, personId: actor.id }
}

function uploadOf(form: Multipart) {
  const [file, another] = form.files.filter(({ name, size }) => name !== '' || size > 0)
  if (another) throw new Invalid([['file', 'many_values']])
  if (!file) throw new Invalid([['file', 'blank']])
  // The body parser of a host has replaced bytes that are not UTF-8, which cannot be undone.
  if ('bytes' in file.content && file.content.bytes.includes('\ufffd')) throw new Invalid([['file', 'invalid']])
  return {
    key: form.text('key') ?? null,
    name: file.name,
    // Clients of object stores send the type of the file as a separate part (behaviour: Attachments).
    type: isUnknown(file.type) ? (form.text('Content-Type') ?? '') : file.type,
    size: file.size,
    content: bytesOf(file),
  }
}

function tooManyUploads(): TooManyRequests {
  return new TooManyRequests(5, 'Too many uploads at once; try again in 5 seconds')
}

function isUnknown(type: string): boolean {
  return type === '' || type === 'application/octet-stream'
}

/** Opens the file only when it is read. */
async function* bytesOf({ content }: SentFile): AsyncGenerator<Uint8Array> {
  if ('bytes' in content) yield content.bytes
  else yield* createReadStream(content.temporaryFile)
}
