/** Operations on records for all callers: the API, imports, jobs, and the host's own code. */
import type { Call, CausingRecord } from '../core/call.js'
import type { ItsmError, Violation } from '../core/errors.js'
import type { Json } from '../schema/kinds/fields.js'
import type { Criterion } from '../schema/language/conditions.js'
import type { Row } from '../schema/language/define-rule.js'
import type { Output } from '../schema/types/typed-records.js'

export type { Output } from '../schema/types/typed-records.js'

/** A record by its `type` and `id`: the owner of sub-records, or one side of a link. */
export interface Owner {
  readonly type: string
  readonly id: number
}

export interface ListRequest {
  /** Query parameters in their original order, decoded: paging, sort, fields, filters and state. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** Predefined filter from the path (`open`, `managed_by_me`). */
  readonly list?: string
  /** Restricts the list to sub-records, links or children of a record; `path` is the name below the owner. */
  readonly within?: Owner & { readonly path: string }
  /** A further restriction that callers cannot lift. */
  readonly also?: Criterion
  /** Strict: refuses parameters without effect and unknown field names. */
  readonly handling?: Handling
}

/** One page of a list: its `items`, and which one of how many it is. */
export interface Page<Item = Output> {
  readonly items: readonly Item[]
  /** From 1. */
  readonly page: number
  /** Maximum number of items of a page. */
  readonly perPage: number
  /** Number of records in the filtered collection, at most 100,000. */
  readonly totalEntries: number
  /** Number of pages, at least 1. */
  readonly totalPages: number
  /** True if the collection was cut at 100,000 records (behaviour: Pages). */
  readonly throttled: boolean
}

/**
 * Handling of names in a body that have no effect: `lenient` saves the other fields, `strict` refuses the body. Absent for
 * saves without a client.
 */
export type Handling = 'lenient' | 'strict'

/**
 * Decides if a write goes on. Asked in the transaction of the write, when the record is locked and the caller may write it, but
 * before the body is checked.
 *
 * @param inside the call in the transaction: it reads what the write would replace
 * @param row the locked row; null for a write of something else than one record
 * @throws PreconditionFailed if not; then nothing is written
 */
export type Precondition = (inside: Call, row: Row | null) => Promise<void>

export interface SaveItem {
  /** Null to create. */
  readonly id: number | null
  /** Fields by API name. */
  readonly body: object
  /** The owner of a sub-record. */
  readonly owner?: Owner
  /** True for an internal note of the account of its record, also if a person of another account has led to it. */
  readonly isOfRecord?: true
  readonly handling?: Handling
  readonly precondition?: Precondition
  /** Unknown names are refused in both handlings: they are mistakes of the program that made the body. */
  readonly onlyKnown?: true
  /** Names that were removed from the body before, because they have no effect. */
  readonly ignored?: readonly string[]
  /** Fields and links whose records were not found: the other values are checked, and the body is refused with all mistakes. */
  readonly notFound?: readonly string[]
  /** Sub-records saved on their own in the same transaction, before and now, by field: the record counts as changed. */
  readonly changedRelated?: ReadonlyMap<string, readonly [before: Json, after: Json]>
  /** Records of the same batch that this one is linked with, by the name of the link. */
  readonly linkedWith?: ReadonlyMap<string, readonly SaveItem[]>
  /** Cause of the change, for the audit trail, in place of that of the call. */
  readonly cause?: string
  /** The record that led to the change, in place of that of the call. */
  readonly causedBy?: CausingRecord | null
  /** A state to put back, in place of the body: rules and hooks neither fill nor check it, and only few rules follow (ADR 55). */
  readonly restored?: EarlierState
}

/** An earlier state of a record, or a part of it. */
export interface EarlierState {
  /** Values by column, as they are stored. A new record gets the id among them. */
  readonly values: Row
  /** Ids of the linked records, by the name of the link. */
  readonly links: ReadonlyMap<string, readonly number[]>
}

/** A record that a client has saved. */
export interface Submitted {
  readonly row: Row
  /** Names in the body without effect: unknown, read-only, or not allowed for this caller. */
  readonly ignored: readonly string[]
  /** Secrets that were made, by field. They are shown in the response to this save and nowhere else; absent without any. */
  readonly shownOnce?: Output
}

/** A record that was saved on its own. */
export interface Saved extends Submitted {
  /** The call in the account of the record: new records may name another one than that of the caller's call. */
  readonly call: Call
}

export type SaveOutcome =
  | ({ readonly outcome: 'created' | 'updated' | 'unchanged' } & Submitted)
  | { readonly outcome: 'refused'; readonly violations: readonly Violation[] }
  | { readonly outcome: 'denied'; readonly error: Error }

/** A record of an array, with its call of `placesOf`. Records with the same call are saved together. */
export interface Submitting {
  readonly call: Call
  readonly item: SaveItem
  /** Identifies the record in place of an id, which is null then. */
  readonly pair?: readonly [source: string, sourceID: string]
}

/** Parameters of `duration` as a caller sent them; not checked yet. */
export interface DurationRequest {
  /** Timestamps; without an offset they are in the time zone of the caller. */
  readonly start?: unknown
  readonly end?: unknown
  /** Zone in which the hours and holidays apply: a name of the list, or an IANA name. Default UTC. */
  readonly time_zone?: unknown
}

/** In place of an id: no record has it. */
export const AMBIGUOUS = 0

export interface Operations {
  /**
   * One page of a collection.
   *
   * @throws BadRequest for unreadable parameters, Invalid for those that strict handling refuses, NotFound if the caller does
   *   not see the owner
   */
  list(call: Call, type: string, request: ListRequest): Promise<Page>

  /**
   * One full record.
   *
   * @param also names of fields that full records include only on request (`custom_fields`); other names are ignored
   * @throws NotFound
   */
  read(call: Call, type: string, id: number, owner?: Owner, also?: readonly string[]): Promise<Output>

  /**
   * Full records that the caller sees and that meet one of the criteria, in the default order of their collection. Each
   * criterion is queried on its own, so that each can use its index.
   *
   * @throws Forbidden if the type is closed to the caller
   */
  find(call: Call, type: string, criteria: readonly Criterion[], limit: number): Promise<readonly Output[]>

  /**
   * Whole minutes between two times in which a calendar is active.
   *
   * @throws BadRequest for parameters that are missing or wrong, NotFound, Forbidden
   */
  duration(call: Call, calendarId: number, request: DurationRequest): Promise<number>

  /**
   * References to the records with these ids, lowest id first, as other records show them: reduced for records that the caller
   * does not see.
   */
  refer(call: Call, type: string, ids: readonly number[]): Promise<readonly Output[]>

  /**
   * Creates (id null) or updates one record through the pipeline.
   * @throws Invalid with all violations, Forbidden, NotFound
   */
  save(call: Call, type: string, id: number | null, body: object, owner?: Owner): Promise<Row>

  /**
   * Steps of a submit that need more than the connection of a transaction: to be called before one that the submit will join.
   * Returns the call in the account in which the record is registered, or from which it or its owner was passed on.
   *
   * @throws Invalid if the caller may not register records there
   */
  beforeSubmit(call: Call, type: string, item: SaveItem): Promise<Call>

  /**
   * Saves for clients, and returns the ignored names as well. Lenient unless the item is strict.
   *
   * @throws Invalid with all violations, Forbidden (also for an update without any field that the caller may set), NotFound,
   *   PreconditionFailed
   */
  submit(call: Call, type: string, item: SaveItem): Promise<Saved>

  /**
   * Saves many records with the same steps, each with a constant number of queries. Runs in the call's transaction if there is
   * one, else in its own. Refused records are skipped, the others are stored.
   */
  saveAll(call: Call, type: string, items: readonly SaveItem[]): Promise<readonly SaveOutcome[]>
  /** `beforeSubmit` for the records of an array, at their own path: the call for each of them, or the error that it gets. */
  placesOf(call: Call, type: string, items: readonly SaveItem[]): Promise<readonly (Call | ItsmError)[]>
  /**
   * Saves the records of an array in their order, each as a whole or not at all. Those that do not depend on each other share all
   * queries. Once `isOver` is true, the rest are denied with Unavailable.
   */
  submitEach(call: Call, type: string, items: readonly Submitting[], isOver: () => boolean): Promise<readonly SaveOutcome[]>
  /** Does the work in one transaction; what follows by settling is decided after each save. */
  atomically<T>(call: Call, work: (inside: Call) => Promise<T>): Promise<T>
  /** Does several saves and removals of the work in one transaction. What follows from them by settling is decided once, at the end. */
  together<T>(call: Call, work: (inside: Call) => Promise<T>): Promise<T>

  /** Deletes one record. @throws NotFound, Forbidden, PreconditionFailed */
  remove(call: Call, type: string, id: number, owner?: Owner, precondition?: Precondition): Promise<void>
  /**
   * Deletes several records of a type, each step with a constant number of queries. Sub-records are given with their owners.
   *
   * @throws NotFound, Forbidden or Invalid if one of them cannot be deleted; then none is
   */
  removeEach(call: Call, type: string, items: readonly { readonly id: number; readonly owner?: Owner }[]): Promise<void>
  /** Deletes records that should never have been there: like `removeEach`, but rules cannot refuse it. @throws NotFound, Forbidden */
  retractEach(call: Call, type: string, items: readonly { readonly id: number; readonly owner?: Owner }[]): Promise<void>
  /** Deletes all sub-records of one type of the owner. @throws NotFound, Forbidden, PreconditionFailed */
  removeAll(call: Call, type: string, owner: Owner, precondition?: Precondition): Promise<void>

  /**
   * Links two records, by a link of the owner or by setting the reference of a child. Linking linked records is not an error.
   *
   * @throws NotFound, Forbidden, Invalid
   */
  link(call: Call, owner: Owner, path: string, otherId: number): Promise<void>
  /** Removes a link. @throws NotFound, Forbidden, Invalid, PreconditionFailed */
  unlink(call: Call, owner: Owner, path: string, otherId: number, precondition?: Precondition): Promise<void>
  /** Removes all links at the path. @throws NotFound, Forbidden, Invalid, PreconditionFailed */
  unlinkAll(call: Call, owner: Owner, path: string, precondition?: Precondition): Promise<void>
  /** Ids of records that the caller sees, whatever the token is limited to. */
  reachable(call: Call, type: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Ids of records that the caller may link to, by the value of a field, in the form of `folded`; `AMBIGUOUS` for one of several. */
  findIds(
    call: Call,
    type: string,
    field: string,
    values: readonly string[],
    accountId?: string,
  ): Promise<ReadonlyMap<string, number>>
}
