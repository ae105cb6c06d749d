/** What the steps of the pipeline take along, from those that run rules to the whole save. */
import type { Knex } from 'knex'
import type { Callers } from '../../access/people/callers.js'
import type { Call } from '../../core/call.js'
import type { Clock, Instant } from '../../core/clock.js'
import type { Observer } from '../../core/observe.js'
import type { Reachable } from '../../core/public-address.js'
import type { FillContext, Row } from '../../schema/language/define-rule.js'
import type { NameOf } from '../../schema/language/rule-context.js'
import type { ReadDeps } from '../read/read-deps.js'
import type { LockDeps, LookupDeps, SettleDeps, ValueDeps } from '../work/work-deps.js'
import type { EventDeps, FileDeps, ValidateDeps } from './related/write-deps.js'
import type { SealDeps } from './seal-secrets.js'

/**
 * A host's hook before a save or a removal; it runs in the transaction, may `fail(field, code)`, and returns nothing. Before a save it
 * may set columns of `next`; before a removal, `next` is the stored row.
 *
 * ```ts
 * import type { BeforeHook } from 'koa-itsm'
 *
 * export const needsReason: BeforeHook = ({ before, changed, fail, next }) => {
 *   if (before && changed('team_id') && next['impact'] === 'top') fail('team', 'Requests with top impact stay with their team')
 * }
 * ```
 */
export type BeforeHook<R extends object = Row, Names = NameOf<keyof R>> = (
  context: FillContext<R, keyof R, Names>,
) => void | Promise<void>

/** A change of a record, when all that follows from it is stored too. */
export interface InTransactionContext {
  /** The call of the first change: `call.actor` is the person, or null for the system; `call.account`, `call.cause`, `call.now`. */
  readonly call: Call
  /** Name of the record type. */
  readonly type: string
  /** Id of the record. */
  readonly id: number
  /** The row as it was committed before; null for a new record. */
  readonly before: Row | null
  /** The row as it will be committed; null if it was deleted. A record that is removed by a flag has its row with the flag. */
  readonly after: Row | null
  /** The transaction, for tables of the host, as rules and `before` hooks get it. It ends with the hook. */
  readonly db: Knex
}

/**
 * A host's hook in the transaction, before the commit: its rows are committed or rolled back with the record. Throws to undo the
 * record; what it returns is ignored.
 */
export type InTransactionHook = (context: InTransactionContext) => unknown

/** Work of another folder that belongs to the transaction of a save. */
export type AfterWrite = (db: Knex, before: Row | null, after: Row | null) => Promise<void>

/** Gives rules and hooks a record with its lookups. */
export interface ContextDeps extends LookupDeps, Pick<ReadDeps, 'decisions'>, Pick<ValueDeps, 'words'> {
  /** True for network addresses that the plugin may send requests to. */
  readonly mayReach: Reachable
  /** Percentage of the time until a target after which somebody is warned. */
  readonly warnAtPercent: number
}

/** Runs the host's hooks. */
export interface HookDeps extends ContextDeps {
  /** By `<type>.save` and `<type>.remove`. */
  readonly before: ReadonlyMap<string, readonly BeforeHook[]>
}

/** Passes changes of records to the host's hooks in the transaction. */
export interface ChangeDeps extends LookupDeps {
  /** By `<type>.save` and `<type>.remove`. */
  readonly inTransaction: ReadonlyMap<string, readonly InTransactionHook[]>
}

/** Queues mails, and notifies those who send them. */
export interface MailDeps extends Pick<LockDeps, 'storage'> {
  readonly clock: Clock
  /** Runs once after a commit that has queued mails. */
  wakeMails(): void
}

/** Notifies the timers. */
export interface TimerDeps {
  /** Runs once after a commit of records with waiting timers, with the earliest timestamp of each save. */
  expectTimers(moments: readonly Instant[]): void
}

/** Runs rules, which save other records, cause events, queue mails, and make timers due. */
export interface RuleDeps extends ContextDeps, SettleDeps, EventDeps, MailDeps, TimerDeps {}

/** Removes records. */
export interface RemoveDeps extends RuleDeps, HookDeps, ChangeDeps {
  /** Work after a save or a removal (`after` null), in its transaction; by type. */
  readonly afterWrite: ReadonlyMap<string, AfterWrite>
  /** The functions of the host that watch saves. */
  readonly observer: Observer
}

/** The whole save, from the body to the commit. */
export interface SaveDeps extends RemoveDeps, ValidateDeps, FileDeps, SealDeps {
  /** Moves a call to another account; null if there is none, or the caller may not register records there. */
  readonly callIn: Callers['callIn']
  /** Dispatches pending events before a receiver is saved, outside of the transaction: it must not receive earlier events. */
  dispatchPending(): Promise<void>
}
