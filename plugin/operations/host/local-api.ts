/** Records for the host's own code: the same pipeline and permissions as over HTTP. */
import type { Call } from '../../core/call.js'
import type { Log } from '../../core/log.js'
import type { Files } from '../../files/files.js'
import type { Catalog } from '../../schema/catalog.js'
import { CALENDAR, REQUEST } from '../../schema/language/built-in-types.js'
import type { WordBook } from '../../words/words.js'
import type { Handling, Operations, Output, Owner, Page } from '../contract.js'
import { readSaved } from '../read/read-saved.js'
import type { Acting } from './acting.js'
import { createMany } from './create-many.js'
import { explained } from './explain.js'
import type { Emit, ExportRows, SubmitEvent } from './lent-functions.js'
import { asSent, createArgumentChecks, onlyBytes, parametersOf } from './local-arguments.js'
import type { CreateResult } from './local-values.js'
import type { LocalApi, RecordApi } from './record-api.js'

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

/** The functions without what the compiler knows of record types, which are texts here. */
interface PlainApi extends Omit<RecordApi, 'create' | 'createMany' | 'update' | 'read' | 'list'> {
  create(type: string, body: object, owner?: Owner): Promise<Output>
  createMany(type: string, bodies: readonly object[], owner?: Owner): Promise<readonly CreateResult[]>
  update(type: string, id: number, body: object, owner?: Owner): Promise<Output>
  read(type: string, id: number, owner?: Owner, also?: readonly string[]): Promise<Output>
  list(type: string, query?: object, list?: string): Promise<Page>
}

function recordApi(deps: LocalDeps, { run, stream }: Acting, handling: Handling): RecordApi {
  const { operations, files, catalog, words } = deps
  const check = createArgumentChecks(catalog)

  const submit = (call: Call, type: string, id: number | null, body: object, owner?: Owner) =>
    explained(
      words,
      operations.submit(call, type, { id, body: asSent(body), handling, onlyKnown: true, ...(owner && { owner }) }),
    )

  const plain: PlainApi = {
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
  return plain as unknown as RecordApi
}

/** Dates as texts. @throws RangeError for an invalid date */
function timeText(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
