import { Readable } from 'node:stream'
import type { Call } from '../../core/call.js'
import type { Violation } from '../../core/errors.js'
import { Forbidden } from '../../core/errors.js'
import { MAX_FILE_BYTES } from '../../core/file-sizes.js'
import { ImportElsewhere, type Imports } from '../../imports/imports.js'
import type { Upload } from '../../imports/upload.js'
import { answerJson, beginAnswer } from '../answers/answer.js'
import { type Endpoint, parameterOf } from '../contract.js'
import { digestOfForm } from '../requests/digest-of-form.js'
import { withMultipart } from '../requests/multipart.js'
import type { Multipart } from '../requests/sent-parts.js'

/**
 * `POST /import` stores a file, and `GET /import/:token` returns the progress. The log is at the URL that the progress
 * contains, for everybody who has that URL (spec, Batch import; behaviour: Import jobs).
 */
export function imports({ imports, headerPrefixes }: ImportEndpointDeps): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/import',
      body: 'own',
      description: {
        operation: 'create_import',
        summary: 'Import a file',
        description: 'Accepts a CSV file, which is processed in the background.',
        body: { 'multipart/form-data': uploadSchema(imports.types) },
        answers: { 200: { description: 'The token under which the progress is.', schema: TOKEN } },
      },
      post: {
        receive: (ctx, call, respond) =>
          withMultipart(ctx, { limit: MAX_FILE_BYTES, admit: async () => imports.admit(call) }, (form) =>
            respond({ by: uploaderIn(call), digest: () => digestOfForm(form) }, async (inside) => ({
              status: 200,
              value: await imports.submit(inside, uploadOf(form)),
            })),
          ),
      },
    },
    {
      method: 'GET',
      path: '/import/:token',
      description: {
        operation: 'read_import',
        summary: 'Follow an import',
        description: 'How many rows are done; after the end also the results.',
        answers: { 200: { description: 'The progress; after the end, the results.', schema: PROGRESS } },
      },
      async run(ctx, call) {
        try {
          answerJson(ctx, 200, await imports.progress(call, ctx.state.itsm.named['token'] ?? ''))
        } catch (error) {
          if (!(error instanceof ImportElsewhere)) throw error
          const { accountId } = error
          const header = `${headerPrefixes[0] ?? ''}Account: ${accountId}`
          throw new Forbidden(`This import belongs to the account ${accountId}; send the header ${header}`, error)
        }
      },
    },
    {
      method: 'GET',
      path: '/imports/:day/:account/:file',
      anonymous: true,
      suffixes: ['log'],
      description: {
        operation: 'download_import_log',
        summary: 'Download the log of an import',
        description: 'Everybody with the signed address gets the log, until the address expires.',
        parameters: [{ name: 'expires' }, { name: 'signature' }],
        answers: { 200: { description: 'One line an event.', types: ['text/plain; charset=utf-8'] } },
      },
      run: async (ctx) => {
        const { day, account, file = '' } = ctx.state.itsm.named
        const logName = `${day}/${account}/${file.endsWith('.log') ? file : `${file}.log`}`
        const query = { expires: parameterOf(ctx, 'expires') ?? '', signature: parameterOf(ctx, 'signature') ?? '' }
        const lines = await imports.log(logName, query)
        beginAnswer(ctx)
        ctx.status = 200
        ctx.set('Content-Type', 'text/plain; charset=utf-8')
        ctx.body = Readable.from(lines)
      },
    },
  ]
}

export interface ImportEndpointDeps {
  readonly imports: Pick<Imports, 'admit' | 'log' | 'progress' | 'submit' | 'types'>
  /** The first one is that of the header that selects an account. */
  readonly headerPrefixes: readonly string[]
}

const PARTS: ReadonlySet<string> = new Set(['type', 'file', 'mapping', 'dry_run', 'history', 'absent', 'absent_limit'])
/** Characters of the name of an unknown part that the response repeats. */
const MAX_NAME_LENGTH = 100
const TOKEN = {
  title: 'ImportToken',
  type: 'object',
  properties: { token: { type: 'string' } },
  required: ['token'],
  additionalProperties: false,
}
export const PROGRESS = {
  title: 'ImportProgress',
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['queued', 'processing', 'done', 'error'] },
    line: { type: ['integer', 'null'] },
    message: { type: 'string' },
    logfile: { type: ['string', 'null'] },
    results: {
      title: 'ImportResults',
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Rows by what was done with them.',
    },
  },
  required: ['state'],
  additionalProperties: false,
}

function uploadSchema(types: readonly string[]) {
  return {
    title: 'ImportUpload',
    type: 'object',
    properties: {
      type: {
        type: 'string',
        enum: types,
        description: 'The kind of rows in the file. A row may only refer to what is there: import in the order of this list.',
      },
      file: { type: 'string', format: 'binary', description: 'CSV or TSV in UTF-8 or UTF-16LE, at most 20 MB.' },
      mapping: {
        type: 'string',
        maxLength: 65_536,
        description:
          'A JSON object with the header for each of your own: {"Full name": "Name"}. An empty one leaves the column out.',
      },
      dry_run: {
        type: 'boolean',
        description: 'True to learn what the import would do: nothing is stored, and no event or mail is sent.',
      },
      history: {
        type: 'boolean',
        description:
          'True to take the times and people of new records from the file, without any event, mail or clock. If the host allows it.',
      },
      absent: {
        type: 'string',
        enum: ['disable'],
        description: 'Disables the records of the source of the file that the file does not have.',
      },
      absent_limit: {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        description: 'The percentage of these records above which none is disabled; default 10.',
      },
    },
    required: ['type', 'file'],
    additionalProperties: false,
  }
}

/** @throws Forbidden for calls of no person */
function uploaderIn({ account, actor }: Call) {
  if (!actor) throw new Forbidden()
  return { accountId: account.id, personId: actor.id }
}

/** The file and its type among the parts. */
function uploadOf(form: Multipart): Upload {
  const file = form.files.find(({ part }) => part === 'file')
  const type = form.text('type')?.trim()
  const given = {
    type,
    mapping: form.text('mapping'),
    dryRun: form.text('dry_run'),
    history: form.text('history'),
    absent: form.text('absent'),
    absentLimit: form.text('absent_limit'),
    misfits: misfitsOf(form),
  }
  if (!file) return { ...given, fileName: 'file', content: null }
  const { name, content } = file
  const bytes = 'bytes' in content ? Readable.from([content.bytes]) : content
  return { ...given, fileName: name || 'file', content: bytes }
}

/** Parts that an import does not have, and duplicates: who misspells `dry_run` must not learn later that it had no effect. */
function misfitsOf({ names }: Multipart): readonly Violation[] {
  const misfits = new Map<string, Violation>()
  const seen = new Set<string>()
  for (const name of names) {
    const lower = name.toLowerCase()
    const isKnown = PARTS.has(lower)
    const shown = isKnown ? lower : shownName(name)
    if (!isKnown) misfits.set(shown, [shown, 'unknown_part'])
    else if (seen.has(lower)) misfits.set(shown, [shown, 'many_values'])
    seen.add(lower)
  }
  return [...misfits.values()]
}

/** The name of a part for the response; `base` for a part without a name. */
function shownName(name: string): string {
  return (
    name
      .slice(0, MAX_NAME_LENGTH)
      .replace(/\p{Cc}/gu, ' ')
      .trim() || 'base'
  )
}
