import type { Exports } from '../../exports/exports.js'
import { answerJson, beginAnswer } from '../answers/answer.js'
import { type Endpoint, parameterOf } from '../contract.js'

/**
 * `POST /export` writes files with the records that the caller may read, and `GET /export/:token` returns the progress. The file
 * is at the URL that the progress contains, for everybody who has that URL (behaviour: Exports).
 */
export function exports({ exports }: { readonly exports: Exports }): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/export',
      body: 'form',
      description: {
        operation: 'create_export',
        summary: 'Export records',
        description: 'Files of one or more import types, which are written in the background.',
        body: { 'application/json': REQUEST, 'application/x-www-form-urlencoded': REQUEST },
        answers: {
          200: { description: 'The token under which the progress is.', schema: TOKEN },
          204: { description: 'No record has changed since from.' },
        },
      },
      post: {
        async act(ctx, call) {
          const started = await exports.submit(call, ctx.state.itsm.body)
          return started ? { status: 200, value: started } : { status: 204 }
        },
      },
    },
    {
      method: 'GET',
      path: '/export/:token',
      description: {
        operation: 'read_export',
        summary: 'Follow an export',
        description: 'How many rows are written; after the end also the URL of the file.',
        answers: { 200: { description: 'The progress; after the end, the URL.', schema: PROGRESS } },
      },
      async run(ctx, call) {
        answerJson(ctx, 200, await exports.progress(call, ctx.state.itsm.named['token'] ?? ''))
      },
    },
    {
      method: 'GET',
      path: '/exports/:day/:account/:file',
      anonymous: true,
      suffixes: ['csv', 'zip'],
      description: {
        operation: 'download_export',
        summary: 'Download the file of an export',
        description: 'Everybody with the signed address gets the file, until the address expires.',
        parameters: [{ name: 'expires' }, { name: 'signature' }],
        answers: { 200: { description: 'The file.', files: ['text/csv', 'application/zip'] } },
      },
      async run(ctx) {
        const { named, suffix } = ctx.state.itsm
        const { day, account, file = '' } = named
        const isNamed = suffix === null || file.endsWith(`.${suffix}`)
        const name = isNamed ? file : `${file}.${suffix}`
        const query = { expires: parameterOf(ctx, 'expires') ?? '', signature: parameterOf(ctx, 'signature') ?? '' }
        const content = await exports.file(`${day}/${account}/${name}`, query)
        beginAnswer(ctx)
        ctx.status = 200
        ctx.set('Content-Type', name.endsWith('.zip') ? 'application/zip' : 'text/csv; charset=utf-8')
        ctx.set('Content-Disposition', `attachment; filename="${name.replace(/^\d+\./, '').replace(/^zip$/, 'export.zip')}"`)
        ctx.body = content
      },
    },
  ]
}

const REQUEST = {
  title: 'ExportRequest',
  type: 'object',
  properties: {
    type: { type: 'string', maxLength: 4096, description: 'Import types, with commas between: people,cis.' },
    from: {
      type: 'string',
      format: 'date-time',
      description: 'Only records with changes that were committed since; some from shortly before, too.',
    },
    locale: { type: 'string', maxLength: 20, description: 'Has no effect: headers and values are those of imports.' },
  },
  required: ['type'],
  additionalProperties: false,
}
const TOKEN = {
  title: 'ExportToken',
  type: 'object',
  properties: { token: { type: 'string', maxLength: 64 } },
  required: ['token'],
  additionalProperties: false,
}
const PROGRESS = {
  title: 'ExportProgress',
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['queued', 'processing', 'done', 'error'] },
    line: { type: 'integer', description: 'Rows that are written.' },
    url: { type: 'string', maxLength: 2048, description: 'Of the file, for 48 hours without credentials.' },
    next_from: {
      type: 'string',
      format: 'date-time',
      description: 'What to send as from next time, so that nothing is missed.',
    },
    message: { type: 'string' },
  },
  required: ['state'],
  additionalProperties: false,
}
