/** Records for the host's own code: the same pipeline and permissions as over HTTP. */
import type { Call } from '../../core/call.js'
import type { Log } from '../../core/log.js'
import type { Files } from '../../files/files.js'
import type { Uploaded } from '../../files/uploads.js'
import type { Catalog } from '../../schema/catalog.js'
import { CALENDAR, REQUEST } from '../../schema/language/built-in-types.js'
import type { EventData } from '../../schema/language/event-data.js'
import type { WordBook } from '../../words/words.js'
import type { Handling, Operations, Output, Owner, Page } from '../contract.js'
import { readSaved } from '../read/read-saved.js'
import type { Acting } from './acting.js'
import { type CreateResult, createMany } from './create-many.js'
import { explained } from './explain.js'
import type { Emit, ExportRows, SubmitEvent } from './lent-functions.js'
import { createArgumentChecks, type ListQuery, onlyBytes, parametersOf } from './local-arguments.js'
import type { LocalEventOutcome, LocalFile, LocalSpan } from './local-values.js'

/**
 * Records as one person, or the system, works with them. Unknown names in bodies are refused; fields that the body cannot set
 * are ignored.
 *
 * ```ts
 * import type { Plugin } from 'koa-itsm'
 *
 * export async function askForLaptop(itsm: Plugin): Promise<number> {
 *   const ines = itsm.as('ines@acme.example')
 *   const { id } = await ines.create('request', { subject: 'A laptop', category: 'rfc' })
 *   await ines.update('request', Number(id), { note: 'The old one is broken.' })
 *   const { items, totalEntries } = await ines.list('request', { status: '!completed', sort: '-id', per_page: 50 }, 'open')
 *   console.log(`${items.length} of ${totalEntries}`)
 *   return Number(id)
 * }
 * ```
 */
export interface LocalApi extends RecordApi {
  /** Functions that refuse what would otherwise be ignored: read-only fields, and fields that the person may not set. */
  readonly strict: RecordApi
  /**
   * Whole minutes in which a calendar is active: `duration(3, { start: new Date(), end: '2026-12-24T18:00Z' })`. Texts without an
   * offset are in the time zone of the person.
   *
   * @throws BadRequest, NotFound, Forbidden
   */
  duration(calendarId: number, span: LocalSpan): Promise<number>
}

/** Operations on records, and files for them. */
export interface RecordApi {
  /**
   * Creates a record and returns it in full, or only its id if the person may not see it.
   *
   * @throws Invalid, Forbidden, NotFound
   */
  create(type: string, body: object, owner?: Owner): Promise<Output>
  /** Changes a record and returns it in full. @throws Invalid, Forbidden, NotFound */
  update(type: string, id: number, body: object, owner?: Owner): Promise<Output>
  /** One record in full; with `also: ['custom_fields']` it includes that list. @throws NotFound */
  read(type: string, id: number, owner?: Owner, also?: readonly string[]): Promise<Output>
  /**
   * Creates many records as one batch, with the statements of one, and returns what has become of each, in their order. Those that
   * are refused do not keep the others from being saved. At most 500; `owner` is that of sub-records.
   *
   * @throws NotFound if the person does not see the owner; what the database or the network fails with, and then nothing is saved
   */
  createMany(type: string, bodies: readonly object[], owner?: Owner): Promise<readonly CreateResult[]>
  /**
   * One page; `list` names a predefined filter or special list. `within` selects a list below a record: `{ within: { request: 7 } }`
   * has the notes of a request, or what else of the type is listed below it.
   *
   * @throws BadRequest for unreadable parameters, NotFound if the person does not see the owner
   */
  list(type: string, query?: ListQuery, list?: string): Promise<Page>
  /** Removes a record, or with its owner a sub-record. @throws NotFound, Forbidden, Invalid */
  remove(type: string, id: number, owner?: Owner): Promise<void>
  /** Removes all sub-records of a type of the owner. @throws NotFound, Forbidden, Invalid */
  removeAll(type: string, owner: Owner): Promise<void>
  /**
   * Causes an event of your own: `emit('vehicle.towed', 17, { to: 'Depot 7' })`, for listeners, all other receivers, and the feed. The
   * type lists the verb in `emits`. The person sees the record, and may change it. `data` is what the event says beside its record.
   *
   * @throws RangeError for an event that no type emits; TypeError for data that is no object of JSON values, or more than 8 KB as JSON;
   * NotFound, Forbidden
   */
  emit(event: string, id: number, data?: EventData): Promise<void>
  /**
   * Submits an event, as `POST /events`: `submitEvent({ subject: 'Disk full', ci: 'srv-1', source: 'Watchdog' })`. It becomes a
   * request, or is added to the open one of the last 24 hours that it matches. Times may be dates.
   *
   * @throws Invalid, Forbidden
   */
  submitEvent(parameters: { readonly [parameter: string]: unknown }): Promise<LocalEventOutcome>
  /**
   * The rows of an export type, as `POST /export` writes them, by their headers: `for await (const row of api.export('people'))`.
   * They are read page by page while they are asked for. With `from` only those of records that have changed since.
   *
   * @throws Invalid for an unknown type, and for a time that is none; Forbidden
   */
  export(type: string, options?: { readonly from?: string | Date }): AsyncIterable<{ readonly [header: string]: string }>
  /**
   * Stores a file. The same person can attach it by its key to a text of a record within a day:
   * `{ note: 'See the log.', note_attachments: [{ key }] }`.
   *
   * @throws Invalid
   */
  upload(file: LocalFile): Promise<Uploaded>
  /** Links two records: `link({ type: 'team', id: 4 }, 'members', 17)`. @throws NotFound, Forbidden, Invalid */
  link(owner: Owner, path: string, otherId: number): Promise<void>
  /** Removes a link: `unlink({ type: 'team', id: 4 }, 'members', 17)`. @throws NotFound, Forbidden, Invalid */
  unlink(owner: Owner, path: string, otherId: number): Promise<void>
}

type Uploads = Pick<Files, 'upload'>

/** Dependencies of the local API. */
export interface LocalDeps {
  readonly operations: Operations
  readonly files: Uploads
  readonly submitEvent: SubmitEvent
  readonly emit: Emit
  readonly exportRows: ExportRows
  readonly catalog: Catalog
  readonly words: WordBook
  readonly log: Log
}

/**
 * @param acting runs the operations
 * @param isStrict true if all functions are those of `strict`
 */
export function createLocalApi(deps: LocalDeps, acting: Acting, isStrict = false): LocalApi {
  const handled = (handling: Handling) => recordApi(deps, acting, handling)
  const check = createArgumentChecks(deps.catalog)
  return {
    ...handled(isStrict ? 'strict' : 'lenient'),
    strict: handled('strict'),
    async duration(calendarId, span) {
      check.id(CALENDAR, calendarId)
      check.span(span)
      const asked = { start: timeText(span.start), end: timeText(span.end), time_zone: span.time_zone }
      return acting.run((call) => deps.operations.duration(call, calendarId, asked))
    },
  }
}

function recordApi(deps: LocalDeps, { run, stream }: Acting, handling: Handling): RecordApi {
  const { operations, files, catalog, words } = deps
  const check = createArgumentChecks(catalog)

  const submit = (call: Call, type: string, id: number | null, body: object, owner?: Owner) =>
    explained(words, operations.submit(call, type, { id, body, handling, onlyKnown: true, ...(owner && { owner }) }))

  return {
    async create(type, body, owner) {
      check.body(check.type(type).name, body)
      check.owner(owner)
      return run(async (now) => {
        const { call, row, shownOnce } = await submit(now, type, null, body, owner)
        return { ...(await readSaved(deps, call, type, Number(row['id']), owner)), ...shownOnce }
      })
    },
    async update(type, id, body, owner) {
      check.id(check.type(type).name, id)
      check.body(type, body)
      check.owner(owner)
      return run(async (call) => {
        const { shownOnce } = await submit(call, type, id, body, owner)
        return { ...(await readSaved(deps, call, type, id, owner)), ...shownOnce }
      })
    },
    async read(type, id, owner, also) {
      check.also(check.type(type), also)
      check.id(type, id)
      check.owner(owner)
      return run((call) => operations.read(call, type, id, owner, also))
    },
    async createMany(type, bodies, owner) {
      check.bodies(check.type(type).name, bodies)
      check.owner(owner)
      return run((call) => createMany(deps, call, { type, bodies, handling, owner }))
    },
    async list(type, query = {}, list) {
      const known = check.type(type)
      check.list(known, list)
      const [parameters, within] = [parametersOf(query), check.within(known, query)]
      const request = { parameters, handling, ...(list === undefined ? {} : { list }), ...(within && { within }) }
      return run((call) => operations.list(call, type, request))
    },
    async remove(type, id, owner) {
      check.id(check.type(type).name, id)
      check.owner(owner)
      await run((call) => operations.remove(call, type, id, owner))
    },
    async removeAll(type, owner) {
      check.type(type)
      check.owner(owner ?? null)
      await run((call) => operations.removeAll(call, type, owner))
    },
    async emit(event, id, data) {
      check.id(event, id)
      await run((call) => deps.emit(call, event, id, data))
    },
    async submitEvent(parameters) {
      check.event(parameters)
      const given = new Map(Object.entries(parameters).map(([name, value]) => [name, timeText(value)]))
      const asked = { handling, onlyKnown: true } as const
      return run(async (now) => {
        const { call, id, isNew } = await explained(words, deps.submitEvent(now, given, asked))
        return { isNew, record: await readSaved(deps, call, REQUEST, id) }
      })
    },
    async *export(type, options = {}) {
      yield* stream((call) => deps.exportRows(call, type, options))
    },
    async upload(file) {
      check.file(file)
      const { name, type = '', content } = file
      return run((call) => {
        const uploader = { accountId: call.account.id, personId: call.actor?.id ?? null }
        const sent = { key: null, name, type, size: null, content: onlyBytes(content) }
        return files.upload(uploader, sent, call)
      })
    },
    async link(owner, path, otherId) {
      check.linked(owner, path, otherId)
      await run((call) => operations.link(call, owner, path, otherId))
    },
    async unlink(owner, path, otherId) {
      check.linked(owner, path, otherId)
      await run((call) => operations.unlink(call, owner, path, otherId))
    },
  }
}

/** Dates as texts. @throws RangeError for an invalid date */
function timeText(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
