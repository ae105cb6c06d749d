/** What the steps of the pipeline take along, from those that run rules to the whole save. */
import type { Knex } from 'knex'
import type { Callers } from '../../access/people/callers.js'
import type { Clock, Instant } from '../../core/clock.js'
import type { Reachable } from '../../core/public-address.js'
import type { FillContext, Row } from '../../schema/language/define-rule.js'
import type { LockDeps, LookupDeps, SettleDeps, ValueDeps } from '../work/work-deps.js'
import type { EventDeps, FileDeps, ValidateDeps, WriteDeps } from './related/write-deps.js'
import type { SealDeps } from './seal-secrets.js'

/** A host's hook before a save; it runs in the transaction, sets columns of `next`, may `fail(field, code)`, and returns nothing. */
export type BeforeHook = (context: FillContext) => void | Promise<void>

/** Work of another folder that belongs to the transaction of a save. */
export type AfterWrite = (db: Knex, before: Row | null, after: Row | null) => Promise<void>

/** Gives rules and hooks a record with its lookups. */
export interface ContextDeps extends LookupDeps, Pick<ValueDeps, 'words'> {
  /** True for network addresses that the plugin may send requests to. */
  readonly mayReach: Reachable
  /** Percentage of the time until a target after which somebody is warned. */
  readonly warnAtPercent: number
}

/** Runs the host's hooks. */
export interface HookDeps extends ContextDeps {
  /** By `<type>.save`. */
  readonly before: ReadonlyMap<string, readonly BeforeHook[]>
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

/** Runs rules, which save other records, queue mails, and make timers due. */
export interface RuleDeps extends ContextDeps, SettleDeps, WriteDeps, MailDeps, TimerDeps {}

/** Removes records. */
export interface RemoveDeps extends RuleDeps, EventDeps {
  /** Work after a save or a removal (`after` null), in its transaction; by type. */
  readonly afterWrite: ReadonlyMap<string, AfterWrite>
}

/** The whole save, from the body to the commit. */
export interface SaveDeps extends RemoveDeps, HookDeps, ValidateDeps, FileDeps, SealDeps {
  /** Moves a call to another account; null if there is none, or the caller may not register records there. */
  readonly callIn: Callers['callIn']
  /** Dispatches pending events before a receiver is saved, outside of the transaction: it must not receive earlier events. */
  dispatchPending(): Promise<void>
}
