/** What can be done with records, whoever asks: the interface, imports, jobs, and the host's own code. */
import type { Call } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import type { Criterion } from '../schema/conditions.js'
import type { Row } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** The record whose parts, links or children are meant. */
export interface Owner {
  readonly type: string
  readonly id: number
}

/** A record as it is returned to callers. */
export type Output = { readonly [field: string]: Json }

export interface ListRequest {
  /** Query parameters in the order in which they came, decoded; paging, sort, fields, filters and state are read here. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** Predefined filter from the path (`open`, `managed_by_me`). */
  readonly list?: string
  /** Restricts the list to parts, links or children of a record; `path` is the name below the owner. */
  readonly within?: Owner & { readonly path: string }
  /** A further restriction that no caller can lift. */
  readonly also?: Criterion
  /** Strict: parameters without effect, and names of fields that are not there, are refused. */
  readonly handling?: Handling
}

export interface Page {
  readonly items: readonly Output[]
  readonly page: number
  readonly perPage: number
  /** Number of records in the filtered collection, at most 100,000. */
  readonly totalEntries: number
  readonly totalPages: number
  /** True when the collection was cut at 100,000 records (behaviour: Pages). */
  readonly throttled: boolean
}

/**
 * Handling of names in a body that have no effect: `lenient` saves the other fields, `strict` refuses the body. Absent for
 * saves that no client asked for.
 */
export type Handling = 'lenient' | 'strict'

export interface SaveItem {
  /** Null to create. */
  readonly id: number | null
  /** Fields by API name. */
  readonly body: object
  /** The owner of a part. */
  readonly owner?: Owner
  readonly handling?: Handling
  /** Names that the type does not have are refused however the body is handled: the program that made it has a mistake. */
  readonly onlyKnown?: true
  /** Names that were removed from the body before, because they have no effect. */
  readonly ignored?: readonly string[]
  /**
   * Sub-records that have been saved by themselves in the same transaction: what the record showed of them and shows now, by
   * field. The record then counts as changed, with an audit line and an event.
   */
  readonly belongings?: ReadonlyMap<string, readonly [before: Json, after: Json]>
}

/** A record that a client has saved. */
export interface Submitted {
  readonly row: Row
  /** Names in the body without effect: unknown, read-only, or not for this caller to set. */
  readonly ignored: readonly string[]
}

export type SaveOutcome =
  | ({ readonly outcome: 'created' | 'updated' | 'unchanged' } & Submitted)
  | { readonly outcome: 'refused'; readonly violations: readonly Violation[] }
  /** The caller may not do this, or the record is not there for the caller. */
  | { readonly outcome: 'denied'; readonly error: Error }

export interface Operations {
  /**
   * One page of a collection.
   *
   * @throws BadRequest for parameters that cannot be understood, Invalid for those that strict handling refuses, NotFound when
   *   the owner is not visible
   */
  list(call: Call, type: string, request: ListRequest): Promise<Page>

  /**
   * One full record.
   *
   * @param also names of fields to show that full records show only on request (`custom_fields`); other names mean nothing
   * @throws NotFound
   */
  read(call: Call, type: string, id: number, owner?: Owner, also?: readonly string[]): Promise<Output>

  /**
   * Full records that the call sees and that meet one of the criteria, in the default order of their collection. Each
   * criterion is looked for by itself, so that each can use its index.
   * @throws Forbidden when the type is closed to the caller
   */
  find(call: Call, type: string, criteria: readonly Criterion[], limit: number): Promise<readonly Output[]>

  /** References to the records with these ids, lowest id first, as other records show them: little of what the call does not see. */
  refer(call: Call, type: string, ids: readonly number[]): Promise<readonly Output[]>

  /**
   * Creates (id null) or updates one record through the pipeline.
   * @throws Invalid with all violations, Forbidden, NotFound
   */
  save(call: Call, type: string, id: number | null, body: object, owner?: Owner): Promise<Row>

  /**
   * Like save, for clients: with what was ignored. Lenient unless the item says strict.
   * @throws Invalid with all violations, Forbidden (also for an update that holds nothing that the caller may set), NotFound
   */
  submit(call: Call, type: string, item: SaveItem): Promise<Submitted>

  /**
   * The same steps over many records, each step with a constant number of queries. Runs in the call's transaction when it
   * is in one, else in one of its own; refused records are left out, the others are stored.
   */
  saveAll(call: Call, type: string, items: readonly SaveItem[]): Promise<readonly SaveOutcome[]>

  /** Deletes one record. @throws NotFound, Forbidden */
  remove(call: Call, type: string, id: number, owner?: Owner): Promise<void>
  /**
   * Deletes several records of a type, each step with a constant number of queries. Parts come with their owners.
   * @throws NotFound, Forbidden or Invalid when one of them cannot be deleted; then none is
   */
  removeEach(call: Call, type: string, items: readonly { readonly id: number; readonly owner?: Owner }[]): Promise<void>
  /** Deletes all parts of one type of the owner. */
  removeAll(call: Call, type: string, owner: Owner): Promise<void>

  /**
   * Links two records, by a link of the owner or by a child whose reference is set like one; linking what is linked is no
   * error. @throws NotFound, Forbidden, Invalid
   */
  link(call: Call, owner: Owner, path: string, otherId: number): Promise<void>
  unlink(call: Call, owner: Owner, path: string, otherId: number): Promise<void>
  unlinkAll(call: Call, owner: Owner, path: string): Promise<void>

  /**
   * Ids of the records that the call may link to and whose field has one of the values, by value (texts in lower case).
   * One query. `accountId` looks in a trusted account instead.
   */
  findIds(
    call: Call,
    type: string,
    field: string,
    values: readonly string[],
    accountId?: string,
  ): Promise<ReadonlyMap<string, number>>
}
