/** Reads deliveries with their messages. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/database/connections.js'
import { DELIVERIES } from '../storage/queues/delivery-rows.js'
import { MESSAGE_COLUMNS, type MessageRow, messageIn } from '../storage/queues/messages.js'
import type { Delivery } from './delivery.js'

/** A row of {@link selectDeliveries}. */
export interface DeliveryRow extends MessageRow {
  readonly id: number | string
  readonly target: string
  readonly account: string
  readonly lane: string
  readonly ordered_by: string
  readonly named: string | null
  readonly object_id: number | string | null
  readonly content: string | null
  readonly attempts: number | string
  readonly next_at: string
  readonly finished_at: string | null
}

/** A query of deliveries, as `d`, with their messages. */
export function selectDeliveries(db: Knex, storage: Storage): Knex.QueryBuilder {
  return db({ d: storage.table(DELIVERIES) })
    .leftJoin({ m: storage.table('messages') }, 'm.sequence', 'd.message')
    .select('d.id', 'd.target', 'd.lane', 'd.ordered_by', 'd.content', 'd.attempts', {
      account: 'd.account_id',
      object_id: 'd.object_id',
    })
    .select({ named: 'd.event' }, ...MESSAGE_COLUMNS.map((column) => `m.${column}`))
    .select('m.created_at as at', 'd.next_at', 'd.finished_at')
}

/** The delivery of a row. */
export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: Number(row.id),
    target: row.target,
    accountId: row.account,
    lane: row.lane,
    key: row.ordered_by,
    message: row.sequence === null ? null : messageIn(row),
    event: row.named,
    objectId: row.object_id === null ? null : Number(row.object_id),
    content: row.content === null ? null : JSON.parse(row.content),
    attempts: Number(row.attempts),
    nextAt: row.next_at,
    putBackAt: row.finished_at,
  }
}
