/** The rows of deliveries: written by the relay, and, for mails, in the transaction that causes them. */
import type { Knex } from 'knex'
import type { Storage } from '../database/connections.js'
import { insertRows } from './insert-rows.js'
import type { OutboxEvent } from './outbox.js'

/** Name of the table, without the prefix. */
export const DELIVERIES = 'channel_deliveries'

/**
 * What has become of a delivery. `waiting`: it will be sent; `sent`; `failed`: given up after the last attempt; `dropped`: its target
 * was disabled or is gone. `testing`: a test that is under way, which no deliverer takes.
 */
export const STATES = { waiting: 'waiting', sent: 'sent', failed: 'failed', dropped: 'dropped', testing: 'testing' } as const
/** The key of tests, which are never replayed. */
export const TEST_KEY = 'test'

/** A delivery that is about to be stored. */
export interface NewDelivery {
  /** What its channel sends to, at most 160 characters: the id of a record, the name of a listener. */
  readonly target: string
  readonly accountId: string
  /** The lane in which it waits, at most 64 characters. */
  readonly lane: string
  /** Deliveries of a lane with the same key are sent one after the other. */
  readonly key: string
  /** Values that its channel stores with it, if its message is not all. */
  readonly content?: unknown
}

/** What a delivery is about. */
export interface About {
  /** Number of its message. */
  readonly message: number
  readonly event: Pick<OutboxEvent, 'event' | 'recordId'>
}

/**
 * The row of a delivery that waits from now on.
 *
 * @param about null without an event
 * @param now as a timestamp: one for all rows of a batch
 */
export function rowOfDelivery(channel: string, delivery: NewDelivery, about: About | null, now: string): object {
  const { accountId, content, key, lane, target } = delivery
  return {
    channel,
    target,
    lane,
    account_id: accountId,
    ordered_by: key,
    message: about?.message ?? null,
    event: about?.event.event ?? null,
    object_id: about?.event.recordId ?? null,
    content: content === undefined ? null : JSON.stringify(content),
    state: STATES.waiting,
    next_at: now,
    created_at: now,
  }
}

/** Stores rows, in order, in the transaction `db`. */
export function insertDeliveries(db: Knex, storage: Storage, rows: readonly object[]): Promise<void> {
  return insertRows(db, storage, DELIVERIES, rows)
}
