/** Data and functions for rules and a host's `before` hooks. All of it runs in the transaction of the save. */
import type { Knex } from 'knex'
import type { Call, Role } from '../../core/call.js'
import type { Params, Violation } from '../../core/errors.js'
import type { Calendar } from '../../core/time/working-time.js'
import type { MailName, MailValues } from '../../words/mails/mail.js'
import type { Condition } from './conditions.js'
import type { EventData } from './event-data.js'
import type { Json } from './field.js'

/** A record as it is stored: one value per column, references as `<field>_id`, timestamps as `Instant`. */
export type Row = { readonly [column: string]: Json }
/** A row that is being built. */
export type DraftRow = { [column: string]: Json }

/** Columns that a record has in addition to its fields: `id`, `account_id`, and `owner_type` and `owner_id` of sub-records. */
interface OwnColumns {
  readonly id: number | null
  readonly account_id: string
  readonly owner_type: string | null
  readonly owner_id: number | null
}

/** A row with the columns of R, which may be empty until the record is complete; any columns if R names none. */
export type DraftOf<R extends object, Columns extends keyof R = keyof R> = string extends Columns
  ? DraftRow
  : { -readonly [K in Columns]: R[K] | null } & OwnColumnsBeside<Columns>
/** Own columns whose names no field has. */
type OwnColumnsBeside<Columns> = { readonly [K in Exclude<keyof OwnColumns, Columns>]: OwnColumns[K] }
/** The row as it is stored. */
export type RowWith<R extends object, Columns = keyof R> = string extends Columns
  ? Row
  : Readonly<R> & OwnColumnsBeside<Columns>
/** Columns of the row. */
export type ColumnOf<Columns> = (Columns | keyof OwnColumns) & string
/** The field of a column: `person` for `person_id`. */
export type NameOf<C> = C extends `${infer Name}_id` ? Name : C
/** Fields of the row: `person` and `person_id` for a reference; `base` for the record as a whole. */
type FieldOf<Columns, Names> = ColumnOf<Columns> | NameOf<keyof OwnColumns> | (Names & string) | 'base'

/**
 * The record of a rule, and lookups in other records. Lookups of a whole batch share statements. Names that do not exist are a
 * TypeError or a RangeError with the name that was probably meant.
 *
 * @typeParam Columns the names of the columns, which the compiler works out once
 * @typeParam Names the names of the fields
 */
export interface RuleContext<R extends object = Row, Columns extends keyof R = keyof R, Names = NameOf<Columns>> {
  /** Who saves, for which account, when, and why. */
  readonly call: Call
  /** Name of the record type. */
  readonly type: string
  /** The stored row; null when the record is being created. */
  readonly before: RowWith<R, Columns> | null
  /** The row to be stored; after the write the stored one, id included. */
  readonly next: Readonly<DraftOf<R, Columns>>
  /** Names of the fields and links that the caller sent and was allowed to set. */
  readonly given: ReadonlySet<FieldOf<Columns, Names>>
  /** The input for a write-only field that is not stored (time_spent); null if absent. */
  input(field: string): Json
  /** True if the column has another value than before (on creation: any value). */
  changed(column: ColumnOf<Columns>): boolean
  /**
   * The column of a field, the record type that it refers to (empty for plain fields), the key of its enumeration, and the values
   * of that (empty without one).
   */
  fieldOf(field: string): {
    readonly column: string
    readonly record: string
    readonly enumeration: string
    readonly values: readonly string[]
  }
  /**
   * A record by id, as stored; null if it does not exist. `lock` reads the record again, and locks it until the transaction
   * ends; a `shared` lock lets others read and share it, but not change it.
   */
  load(type: string, id: Json | undefined, options?: { readonly lock: true | 'shared' }): Promise<Row | null>
  /**
   * Records of the call's account whose field has the value, lowest id first; for the name of a link, those that are linked to
   * the record with this id. Texts are compared without regard to case. `and` is a further condition, the same for all records
   * of the batch. At most MAX_FOUND records for one value; more are an error. `lock` waits for other transactions that are
   * writing such a record, and locks what it finds until the transaction ends: what must be unique is looked for so when it has
   * been written. `trusted` also finds records of the accounts that the account trusts.
   */
  findBy(
    type: string,
    field: string,
    value: Json | undefined,
    and?: Condition,
    options?: { readonly lock?: true; readonly trusted?: true },
  ): Promise<readonly Row[]>
  /**
   * The different values of a field in the records of the call's account that refer to this id through the field `by`, and meet
   * `and`: `valuesOf('task', 'status', 'change', id)`. Made for few values of many records.
   */
  valuesOf(type: string, field: string, by: string, id: Json | undefined, and?: Condition): Promise<readonly Json[]>
  /** True if the field of a record in the call's account refers to this id. */
  isReferred(type: string, field: string, id: Json | undefined): Promise<boolean>
  /**
   * Records of the call's account that meet the condition, lowest id first; at most MAX_FOUND, more are an error. Equal
   * conditions of a batch share one statement, others need one each: prefer `findBy`.
   */
  find(type: string, condition: Condition): Promise<readonly Row[]>
  /** True if the two records are linked (`teams` `members`). */
  linked(type: string, id: Json | undefined, link: string, otherId: Json | undefined): Promise<boolean>
  /** Ids of the records that are linked to a stored record, in ascending order (the `cis` of a `task_template`). */
  linkedIds(type: string, id: Json | undefined, link: string): Promise<readonly number[]>
  /**
   * The calendar with this id as it is now, of any account; without an id, one that is always active:
   * `(await calendarOf(team.work_hours_id)).in(team.time_zone).instantAfter(start, 60)`.
   */
  calendarOf(id: Json | undefined): Promise<Calendar>
  /**
   * The time zone of the account as it is now, for times that are counted in it and stored; the account keeps it until the
   * transaction ends. `call.account.timeZone` may be some seconds old.
   */
  accountZone(): Promise<string>
  /** True if the person has exactly this role in the account of the record. */
  hasRole(personId: Json | undefined, role: Role): Promise<boolean>
  /**
   * The transaction of the save, for tables of the host: what is written here is committed and undone with the record. It ends
   * with the phase, and cannot be committed, rolled back or destroyed; `db.transaction(async (db) => …)` is a savepoint. A hook
   * that uses the pool of the host instead waits for a connection while it holds one.
   */
  readonly db: Knex
  /** Percentage of the time until a target after which somebody is warned: the option `targets.warnAtPercent`. */
  readonly warnAtPercent: number
  /**
   * The mistake in a filter that is kept as a text, in the grammar of lists, for records of this type as account administrators read
   * them; null if there is none. Types without a list take no filter.
   */
  mistakeInFilter(type: string, text: string): string | null
  /**
   * The mistake in a query that is kept as a text (`status=open&sort=-id`), as the list of this type reports it to the caller in strict
   * handling; null if there is none. Also of types without a list, and of those that are closed to the caller.
   */
  mistakeInQuery(type: string, query: string): Promise<string | null>
  /** True if the plugin may send requests to this network address. */
  mayReach(address: string): boolean
  /**
   * A message of `words/` or of the host, for texts that a rule stores: in the language of the account, because people with
   * other languages than the caller read them.
   */
  sentence(code: string, params?: Params): string
  /** Refuses the save; all violations of a record are reported together. `code` is a key of `words/` or a message. */
  fail(field: FieldOf<Columns, Names>, code: string, params?: Params): void
}

/**
 * For rules that fill in values, and for a host's hooks: columns of `next` may be set, with values in the form of rows. They are
 * checked when the last of them has run (ADR 0045).
 */
export interface FillContext<R extends object = Row, Columns extends keyof R = keyof R, Names = NameOf<Columns>>
  extends RuleContext<R, Columns, Names> {
  readonly next: DraftOf<R, Columns>
}

/** A record that a rule saves. */
export interface RuleItem {
  /** Null to create. */
  readonly id: number | null
  /** Values by field, as in the API; read-only fields may be set. */
  readonly body: object
  /** Sub-records are created with their owner, by its `type` and `id`. */
  readonly owner?: { readonly type: string; readonly id: number }
  /** True for an internal note of the account of its record, also if a person of another account has led to it. */
  readonly isOfRecord?: true
  /** Other records of the same list that this one is linked with, by the name of the link: their places, from 0. All are new. */
  readonly linkedWith?: { readonly [link: string]: readonly number[] }
}

/**
 * Result of an attempt to save a record: its `row`, or the `violations`, with `messages` as texts in the language of the
 * account.
 */
export type Attempt =
  | { readonly row: Row }
  | { readonly violations: readonly Violation[]; readonly messages: readonly string[] }

/**
 * Saves and removes other records, in the same transaction, with all their rules and events, but without permission checks;
 * read-only fields may be set. If one is refused, the save that the rule belongs to is undone, and its caller gets a violation on
 * `base` that names the type and what is wrong. A name in a body that the type does not have is a TypeError.
 */
export interface OtherRecords {
  /** Saves a record: with null as id a new one, below `owner` if it is a sub-record. Returns the stored row. */
  save(type: string, id: number | null, body: object, owner?: RuleItem['owner']): Promise<Row>
  /**
   * Saves many records with the statements of one save; returns the stored rows in the order of the items. An empty list costs
   * nothing.
   */
  saveAll(type: string, items: readonly RuleItem[]): Promise<readonly Row[]>
  /** Saves a record, unless it is refused: then nothing of it is stored, and the save that the rule belongs to continues. */
  attempt(type: string, item: RuleItem): Promise<Attempt>
  /** Removes a record. */
  remove(type: string, id: number): Promise<void>
  /**
   * Removes many records with the statements of one removal; an empty list costs nothing. A record that is being saved can only
   * be flagged as removed.
   */
  removeEach(type: string, ids: readonly number[]): Promise<void>
  /**
   * Adds `step` to a number of another record after all rules of the batch, in the same transaction; never below 0. A sum
   * outside of the bounds of the field is an error. Leaves no audit line, causes no event, keeps updated_at.
   */
  addTo(type: string, id: Json | undefined, field: string, step: number): void
  /**
   * Makes a timer due, by its timestamp field, for all records that wait for it and meet the condition, in all accounts. The
   * condition is on their own fields, or on a record that a reference leads to (`{ 'team.work_hours': ids }`). One statement without rules, audit
   * lines and events, whatever their number; the timer then saves the records in small transactions. For what follows from a
   * record that any number of others use.
   */
  makeDue(type: string, field: string, condition: Condition): Promise<void>
  /**
   * Causes an event of a verb that a type lists in `emits`: `emit('vehicle.handed-over', next.id, { to: 'Depot 7' })`, for listeners,
   * all other receivers, and the feed. It follows the events of the save, in the same transaction, and shows the record as it is after
   * all rules of the batch. Without an id it has no effect. `data` is what the event says beside its record: values of JSON by name,
   * at most 8 KB. An import of history, or a save that is undone, causes none.
   */
  emit(event: string, id: Json | undefined, data?: EventData): void
  /**
   * Sends a mail to a person after the commit, in the language and the time zone of the person. Without a person it has no
   * effect. It is stored in the same transaction: a mail that cannot be sent is tried again, and may rarely arrive twice.
   */
  mail(person: Json | undefined, name: MailName, params: MailValues): void
}

/** For rules that change other records after the record itself is written or removed. */
export interface WrittenContext<R extends object = Row> extends RuleContext<R>, OtherRecords {}
