/** What the host's own code can do with records: as a person, or as the system. */
import type { Uploaded } from '../../files/uploads.js'
import type { EventData } from '../../schema/language/event-data.js'
import type {
  AnyRecords,
  CreateIn,
  FieldIn,
  LinkIn,
  ListIn,
  OutputIn,
  QueryIn,
  SomeIn,
  UpdateIn,
} from '../../schema/types/typed-records.js'
import type { Page } from '../contract.js'
import type { CreateResult, LocalEventOutcome, LocalFile, LocalSpan } from './local-values.js'

/** The name of a record type. */
export type TypeIn<T extends object> = keyof T & string

/** The record that sub-records, links or children belong to. */
export interface OwnerIn<T extends object, K extends TypeIn<T> = TypeIn<T>> {
  /** The type of the record. */
  readonly type: K
  /** The id of the record. */
  readonly id: number
}

/**
 * Records as one person, or the system, works with them. Unknown names in bodies are refused; fields that the body cannot set
 * are ignored. What is undefined in a body is left out, as in JSON; null is an empty value.
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
export interface LocalApi<out T extends object = AnyRecords> extends RecordApi<T> {
  /** Functions that refuse what would otherwise be ignored: read-only fields, and fields that the person may not set. */
  readonly strict: RecordApi<T>
  /**
   * Whole minutes in which a calendar is active: `duration(3, { start: new Date(), end: '2026-12-24T18:00Z' })`. Texts without an
   * offset are in the time zone of the person.
   *
   * @throws BadRequest, NotFound, Forbidden
   */
  duration(calendarId: number, span: LocalSpan): Promise<number>
}

/** Operations on records, and files for them. */
export interface RecordApi<out T extends object = AnyRecords> {
  /**
   * Creates a record and returns it in full, or only its id if the person may not see it.
   *
   * @throws Invalid, Forbidden, NotFound
   */
  create<K extends TypeIn<T>>(type: K, body: CreateIn<T, K>, owner?: OwnerIn<T>): Promise<SomeIn<T, K>>
  /** Changes a record and returns it in full. @throws Invalid, Forbidden, NotFound */
  update<K extends TypeIn<T>>(type: K, id: number, body: UpdateIn<T, K>, owner?: OwnerIn<T>): Promise<OutputIn<T, K>>
  /** One record in full; with `also: ['custom_fields']` it includes that list. @throws NotFound */
  read<K extends TypeIn<T>>(type: K, id: number, owner?: OwnerIn<T>, also?: readonly FieldIn<T, K>[]): Promise<OutputIn<T, K>>
  /**
   * Creates many records as one batch, with the statements of one, and returns what has become of each, in their order. Those that
   * are refused do not keep the others from being saved. At most 500; `owner` is that of sub-records.
   *
   * @throws NotFound if the person does not see the owner; what the database or the network fails with, and then nothing is saved
   */
  createMany<K extends TypeIn<T>>(
    type: K,
    bodies: readonly CreateIn<T, K>[],
    owner?: OwnerIn<T>,
  ): Promise<readonly CreateResult[]>
  /**
   * One page; `list` names a predefined filter or special list. `within` selects a list below a record: `{ within: { request: 7 } }`
   * has the notes of a request, or what else of the type is listed below it.
   *
   * @throws BadRequest for unreadable parameters, NotFound if the person does not see the owner
   */
  list<K extends TypeIn<T>>(type: K, query?: QueryIn<T, K>, list?: ListIn<T, K>): Promise<Page<SomeIn<T, K>>>
  /** Removes a record, or with its owner a sub-record. @throws NotFound, Forbidden, Invalid */
  remove(type: TypeIn<T>, id: number, owner?: OwnerIn<T>): Promise<void>
  /** Removes all sub-records of a type of the owner. @throws NotFound, Forbidden, Invalid */
  removeAll(type: TypeIn<T>, owner: OwnerIn<T>): Promise<void>
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
  link<K extends TypeIn<T>>(owner: OwnerIn<T, K>, path: LinkIn<T, K>, otherId: number): Promise<void>
  /** Removes a link: `unlink({ type: 'team', id: 4 }, 'members', 17)`. @throws NotFound, Forbidden, Invalid */
  unlink<K extends TypeIn<T>>(owner: OwnerIn<T, K>, path: LinkIn<T, K>, otherId: number): Promise<void>
}
