/** What the functions of this folder need; `createOperations` puts it together. */
import type { Knex } from 'knex'
import type { Decisions } from '../access/decide.js'
import type { Scope } from '../access/scope.js'
import type { Call } from '../core/call.js'
import type { Clock, Moment } from '../core/clock.js'
import type { Reachable } from '../core/public-address.js'
import type { Files } from '../files/files.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { FillContext, Row } from '../schema/define-rule.js'
import type { Validator } from '../schema/derive/validator.js'
import type { Storage } from '../storage/connections.js'
import type { Queries } from '../storage/query.js'
import type { Writer } from '../storage/write.js'

/** A host's hook before a save; it runs in the transaction and may `fail(field, code)`. */
export type BeforeHook = (context: FillContext) => void | Promise<void>

/** Work of another part of the service that belongs to the transaction of a save. */
export type Afterwards = (db: Knex, before: Row | null, after: Row | null) => Promise<void>

export interface OperationDeps {
  readonly catalog: Catalog
  readonly storage: Storage
  readonly queries: Queries
  readonly writer: Writer
  readonly validators: ReadonlyMap<string, Validator>
  readonly decisions: Decisions
  readonly scope: Scope
  readonly clock: Clock
  /** Names of accounts, for references to records of others. */
  accountNames(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Ids of people with roles in the account of the call: any of them, or all. */
  peopleWithRoles(call: Call, roles: readonly string[], match: 'any' | 'all'): Promise<readonly number[]>
  readonly files: Pick<Files, 'addresses' | 'sizeLimit' | 'allowedExtensions'>
  /** True for network addresses that the service may send requests to. */
  readonly mayReach: Reachable
  /** Datetimes as the caller wants them. */
  writeMoment(moment: string, zone: string): string
  /** The host's hooks by `<type>.save`. */
  readonly before: ReadonlyMap<string, readonly BeforeHook[]>
  /** What follows a save or a removal (`after` null) of some type, in its transaction; by type. */
  readonly afterwards: ReadonlyMap<string, Afterwards>
  /** Runs when events with these names were committed, so that they are handed on without waiting for the sweep. */
  nudge(events: readonly string[]): void
  /** Runs when records were committed whose timers wait, with the earliest moment. */
  expectTimer(moment: Moment): void
  /** Runs before a webhook is saved, outside of the transaction: it is not told of what happened earlier. */
  settleEvents(): Promise<void>
}
