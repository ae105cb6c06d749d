/** Dependencies of the functions in this folder; `createOperations` assembles them. */
import type { Knex } from 'knex'
import type { Callers } from '../access/people/callers.js'
import type { Decisions } from '../access/sight/decide.js'
import type { Scope } from '../access/sight/scope.js'
import type { Call } from '../core/call.js'
import type { Clock, Instant } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Reachable } from '../core/public-address.js'
import type { CompileCalendar } from '../core/time/working-time.js'
import type { Files } from '../files/files.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { StoredColumnsOf } from '../schema/derive/stored-values.js'
import type { Validator } from '../schema/derive/validator.js'
import type { FillContext, Row } from '../schema/language/define-rule.js'
import type { Storage } from '../storage/database/connections.js'
import type { Queries } from '../storage/records/query.js'
import type { Writer } from '../storage/records/write.js'
import type { WordBook } from '../words/words.js'

/** A host's hook before a save; it runs in the transaction, sets columns of `next`, may `fail(field, code)`, and returns nothing. */
export type BeforeHook = (context: FillContext) => void | Promise<void>

/** Work of another folder that belongs to the transaction of a save. */
export type AfterWrite = (db: Knex, before: Row | null, after: Row | null) => Promise<void>

export interface OperationDeps {
  readonly catalog: Catalog
  readonly storage: Storage
  readonly queries: Queries
  readonly writer: Writer
  readonly validators: ReadonlyMap<string, Validator>
  /** Checks of the values that rules and hooks set. */
  readonly storedColumnsOf: StoredColumnsOf
  readonly decisions: Decisions
  readonly scope: Scope
  readonly clock: Clock
  readonly log: Log
  readonly words: Pick<WordBook, 'codes' | 'sentence' | 'fieldLabel' | 'valuesOf'>
  /** Names of accounts, for references to records of other accounts. */
  accountNames(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The time zone of the call's account, locked against changes until the transaction ends. */
  accountZone(call: Call): Promise<string>
  /** The same call in another account; null if there is none, or the caller may not register records there. */
  callIn(call: Call, accountId: string): Promise<Call | null>
  /** The same call in the account of a record that was passed to its account; null if there is no such account. */
  callAt: Callers['callAt']
  /** Ids of people with roles in the account of the call: any of them, or all. */
  peopleWithRoles(call: Call, roles: readonly string[], match: 'any' | 'all'): Promise<readonly number[]>
  /** Compiles calendars; shared, because it caches the changes of clocks. */
  readonly compileCalendar: CompileCalendar
  readonly files: Pick<Files, 'addresses' | 'sizeLimit' | 'allowedExtensions'>
  /** True for network addresses that the plugin may send requests to. */
  readonly mayReach: Reachable
  /** Formats datetimes for the caller. */
  formatInstant(moment: string, zone: string): string
  /** The host's hooks by `<type>.save`. */
  readonly before: ReadonlyMap<string, readonly BeforeHook[]>
  /** Work after a save or a removal (`after` null), in its transaction; by type. */
  readonly afterWrite: ReadonlyMap<string, AfterWrite>
  /** Runs once after a commit with events of these names, so that they are dispatched without waiting for the sweep. */
  wakeDispatch(events: readonly string[]): void
  /** Runs once after a commit of records with waiting timers, with the earliest timestamp of each save. */
  expectTimers(moments: readonly Instant[]): void
  /** Runs once after a commit that has queued mails. */
  wakeMails(): void
  /** Dispatches pending events before a webhook is saved, outside of the transaction: it must not receive earlier events. */
  dispatchPending(): Promise<void>
}
