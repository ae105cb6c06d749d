import { Readable } from 'node:stream'
import type { Imports } from '../../imports/imports.js'
import { readPaging } from '../../schema/derive/filters.js'
import { answerNothing, answerPage, answerShown, beginAnswer } from '../answers/answer.js'
import { type Context, type Endpoint, parameterOf } from '../contract.js'
import { PROGRESS } from './import.js'

/** `/imports`: the imports of an account after they were submitted (behaviour: Import lists). */
export function importEntries({ baseUrl, imports }: ImportEntriesDeps): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/imports',
      description: {
        operation: 'list_imports',
        summary: 'List imports',
        description: 'Those of the account, the newest first. For account administrators.',
        parameters: [{ name: 'page' }, { name: 'per_page' }],
        answers: { 200: { description: 'The imports.', schema: { type: 'array', items: ENTRY } } },
      },
      async run(ctx, call) {
        const paging = readPaging(ctx.state.itsm.parameters)
        const { items, total } = await imports.list(call, paging)
        const totalPages = Math.ceil(total / paging.perPage)
        const page = { ...paging, items: items.map(shown), totalEntries: total, totalPages, throttled: false }
        answerPage(ctx, baseUrl, page, items.map(steady))
      },
    },
    {
      method: 'GET',
      path: '/imports/template',
      suffixes: ['csv'],
      anyMedia: true,
      uncounted: true,
      description: {
        operation: 'download_import_template',
        summary: 'Download an empty import file',
        description: 'A CSV file with the headers of an import type.',
        parameters: [{ name: 'type', required: true, description: 'As in POST /import.' }],
        answers: { 200: { description: 'The file.', types: [CSV] } },
      },
      run(ctx, call) {
        const type = parameterOf(ctx, 'type') ?? ''
        answerFile(ctx, `${type}.csv`, imports.template(call, type))
      },
    },
    {
      method: 'GET',
      path: '/imports/:id',
      description: {
        operation: 'read_import_entry',
        summary: 'Read an import',
        description: 'Also long after its end, unlike the progress.',
        parameters: [ID],
        answers: { 200: { description: 'The import.', schema: ENTRY } },
      },
      async run(ctx, call) {
        const entry = await imports.read(call, idIn(ctx))
        answerShown(ctx, 200, entry, steady(entry))
      },
    },
    {
      method: 'DELETE',
      path: '/imports/:id',
      description: {
        operation: 'stop_import',
        summary: 'Stop an import',
        description: 'The rows that are being saved are the last ones; what was saved stays.',
        parameters: [ID],
        answers: { 204: { description: 'It stops, or has stopped.' }, 409: { description: 'It has come to its end.' } },
      },
      async run(ctx, call) {
        await imports.stop(call, idIn(ctx))
        answerNothing(ctx)
      },
    },
    {
      method: 'GET',
      path: '/imports/:id/changes',
      description: {
        operation: 'list_import_changes',
        summary: 'List what a dry run would change',
        description: 'At most 1,000 examples: a field of a record, before and after. Other imports have none.',
        parameters: [ID, { name: 'page' }, { name: 'per_page' }],
        answers: { 200: { description: 'The changes.', schema: { type: 'array', items: CHANGE } } },
      },
      async run(ctx, call) {
        const paging = readPaging(ctx.state.itsm.parameters)
        const { items, total } = await imports.examples(call, idIn(ctx), paging)
        const totalPages = Math.ceil(total / paging.perPage)
        answerPage(ctx, baseUrl, {
          ...paging,
          items: items.map((item) => ({ ...item })),
          totalEntries: total,
          totalPages,
          throttled: false,
        })
      },
    },
    {
      method: 'GET',
      path: '/imports/:id/failures',
      suffixes: ['csv'],
      anyMedia: true,
      uncounted: true,
      description: {
        operation: 'download_import_failures',
        summary: 'Download the rows that were not saved',
        description: 'A CSV file with their cells, and the line, the column at fault and the reason: repair it and import it.',
        parameters: [ID],
        answers: { 200: { description: 'The file.', types: [CSV] } },
      },
      async run(ctx, call) {
        const id = idIn(ctx)
        answerFile(ctx, `import-${id}-failures.csv`, Readable.from(await imports.failures(call, id)))
      },
    },
    {
      method: 'POST',
      path: '/imports/:id/undo',
      description: {
        operation: 'undo_import',
        summary: 'Undo an import',
        description:
          'Removes or disables what it created, and puts back what it changed, in the background. Records that somebody has changed since are left as they are.',
        parameters: [ID],
        answers: {
          200: { description: 'The undo, which is an import of its own. A repeat gets the same.', schema: UNDO },
          409: { description: 'An import of the account waits or is worked on.' },
        },
      },
      post: {
        act: async (ctx, call) => ({ status: 200, value: { ...(await imports.undo(call, idIn(ctx))) } }),
      },
    },
  ]
}

export interface ImportEntriesDeps {
  readonly baseUrl: string
  readonly imports: Imports
}

type Entry = Awaited<ReturnType<Imports['read']>>

const CSV = 'text/csv; charset=utf-8'
const ID = { name: 'id', schema: { type: 'integer' } } as const
const MOMENT = { type: ['string', 'null'], format: 'date-time' }
const ENTRY = {
  title: 'ImportEntry',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    token: { type: 'string', maxLength: 64 },
    type: { type: 'string', maxLength: 64 },
    file_name: { type: 'string', maxLength: 255 },
    created_by: {
      title: 'ImportPerson',
      type: ['object', 'null'],
      properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 255 } },
      additionalProperties: false,
    },
    mapping: {
      title: 'ImportMapping',
      type: 'object',
      description: 'What headers of the file are read as.',
      additionalProperties: { type: 'string', maxLength: 255 },
    },
    dry_run: { type: 'boolean', description: 'True if nothing is stored.' },
    undo_of: { type: ['integer', 'null'], description: 'The import that this one undoes.' },
    undone_by: { type: ['integer', 'null'], description: 'The import that undoes this one.' },
    history: { type: 'boolean', description: 'True if new records come with the times and people of the file.' },
    state: PROGRESS.properties.state,
    line: { type: 'integer', description: 'Of the last row that is done.' },
    lines: { type: ['integer', 'null'], description: 'Of the file; null if they were not counted.' },
    results: PROGRESS.properties.results,
    message: { type: ['string', 'null'], maxLength: 500 },
    logfile: { ...PROGRESS.properties.logfile, maxLength: 2048 },
    created_at: { type: 'string', format: 'date-time' },
    started_at: MOMENT,
    finished_at: MOMENT,
  },
  additionalProperties: false,
}

const UNDO = {
  title: 'ImportUndo',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    token: { type: 'string', maxLength: 64, description: 'For GET /import/:token.' },
  },
  required: ['id', 'token'],
  additionalProperties: false,
}

const CHANGE = {
  title: 'ImportChange',
  type: 'object',
  properties: {
    type: { type: 'string', maxLength: 64, description: 'The record type.' },
    id: { type: ['integer', 'null'], description: 'Null for a record that the import would create.' },
    name: { type: ['string', 'null'], maxLength: 65_535 },
    field: { type: 'string', maxLength: 128 },
    before: { description: 'As in audit lines.' },
    after: { description: 'As in audit lines.' },
  },
  additionalProperties: false,
}

function shown(entry: Entry) {
  return { ...entry }
}

/** Without the URL of the log, which is signed anew for each answer. */
function steady({ logfile, ...entry }: Entry) {
  return { ...entry, logfile: logfile !== null }
}

function idIn(ctx: Context): number {
  return Number(ctx.state.itsm.named['id'])
}

function answerFile(ctx: Context, name: string, content: string | Readable): void {
  beginAnswer(ctx)
  ctx.status = 200
  ctx.set('Content-Type', CSV)
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.body = content
}
