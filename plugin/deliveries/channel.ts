/**
 * A channel: one way on which messages leave, such as listeners of the host, or mails. It says where messages go and how
 * they are sent; queue, order, repeats, leases and the log are the same for all (ADR 62).
 */
import type { Knex } from 'knex'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import type { Occurred } from '../storage/queues/messages.js'
import type { Attempt, Delivery, Outcome, Postponed } from './delivery.js'
import type { ChannelLog } from './log/channel-log.js'
import type { Pauses } from './pauses.js'

/** A delivery that an event causes. */
export interface Planned extends NewDelivery {
  readonly event: Occurred
}

/** Where a target leads at present. */
export interface Target {
  /** The lane to which it leads. What waits in another one is moved there. */
  readonly lane: string
  /** Maximum number of attempts at the same time. */
  readonly atOnce: number
  /** For `prepare` of its channel. */
  readonly wants?: unknown
  /** Sends one delivery. What it throws is a failure. */
  send(delivery: Delivery): Promise<Outcome | Postponed>
}

/** What a batch of attempts has changed for targets. */
export interface Consequences {
  /** Lanes that get nothing before a time. */
  readonly paused: Pauses
  /** How many attempts targets get at the same time from now on; null for those that get nothing more. */
  readonly limits: ReadonlyMap<string, number | null>
  /** To be called after the commit. */
  committed?(): void
}

/** Rows of the version before, which may still run beside this one. */
export interface OlderRows {
  /** Without the prefix. */
  readonly table: string
  /** Columns that it needs, and those of them that are times. */
  readonly columns: readonly string[]
  readonly times: readonly string[]
  /** Column with the lane of a row; null if all rows of the table share one lease. */
  readonly laneColumn: string | null
  /** The row as one of ours, or null if nobody waits for it. */
  carryOver(row: OlderRow): (NewDelivery & CarriedOver) | null
}

/** A row with these columns, times as text. */
export type OlderRow = Readonly<Record<string, unknown>>

/** Columns of a row that are kept. */
export interface CarriedOver {
  readonly event: string | null
  readonly objectId: number | null
  readonly attempts: number
  readonly lastError: string | null
  readonly nextAt: string
  /** Time at which it was given up; null if it waits. */
  readonly failedAt: string | null
}

/** See the head of this file. */
export interface Channel {
  /** At most 32 characters; no other channel has it. */
  readonly name: string
  /** Kind of the leases of its lanes, at most 20 characters. */
  readonly leaseKind: string
  /** Maximum number of attempts at the same time, of all lanes and of one. */
  readonly atOnce: number
  readonly atOncePerLane: number
  /** Failures in a row after which a lane gets nothing more until it is due again; default: never. */
  readonly haltsAfter?: number
  /** True if its messages are read with the changed fields, and the cause of the change. */
  readonly readsChanges?: boolean
  readonly older?: OlderRows
  /** What the log of deliveries shows beside the rows. */
  readonly log?: ChannelLog
  /** Names of the only lanes that this process serves; without it, all. Others wait a day for a process that knows them. */
  readonly lanes?: ReadonlySet<string>
  /** Returns true if one of the events may have a delivery. Called after each commit. */
  isWanted(events: readonly string[]): boolean | Promise<boolean>
  /** Plans deliveries of events, in the transaction of the relay. */
  plan(db: Knex, events: readonly Occurred[]): Promise<readonly Planned[]>
  /** Reads where targets lead. Deliveries to a target that is not in the result are dropped. @param db default: the pool */
  meet(targets: readonly string[], db?: Knex): Promise<ReadonlyMap<string, Target>>
  /** Reads what a page needs, once for all of its deliveries, and adds it as `prepared`. */
  prepare?(page: readonly Delivery[], targets: ReadonlyMap<string, Target | null>): Promise<readonly Delivery[]>
  /** Time of the next attempt after a failure; null if it was the last. */
  nextTry(attempt: Attempt): Date | null
  /** Stores what attempts mean for their targets, in the transaction that acknowledges them. */
  acknowledge?(db: Knex, attempts: readonly Attempt[]): Promise<Consequences>
  /** Tells the log of a failure, after the commit. @param next null if it was the last attempt */
  failed(attempt: Attempt, next: Date | null): void
  /** Tells the log of deliveries that were dropped because their targets are gone. */
  dropped(count: number, targets: readonly string[]): void
}
