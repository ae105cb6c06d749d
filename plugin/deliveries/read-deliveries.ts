/** Reads pages of a lane: deliveries with their messages. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { DELIVERIES, STATES } from '../storage/queues/delivery-rows.js'
import { type Changes, MESSAGE_COLUMNS, type MessageRow, messageIn, readChanges } from '../storage/queues/messages.js'
import type { Channel } from './channel.js'
import type { Delivery } from './delivery.js'

export interface ReaderDeps {
  readonly storage: Storage
  readonly channel: Channel
  /** A query that has a row as long as a lane waits for older ones. */
  readonly isBlocked: ((lane: string) => Knex.QueryBuilder) | undefined
}

/**
 * Returns the next due deliveries of a lane after the given one, in order of occurrence. None as long as a process of the version
 * before has left older ones.
 */
export type Read = (lane: string, now: Date, after: Delivery | null, limit: number) => Promise<readonly Delivery[]>

export function createReader({ channel, isBlocked, storage }: ReaderDeps): Read {
  const pool = storage.knex

  return async (lane, now, after, limit) => {
    const query = pool({ d: storage.table(DELIVERIES) })
      .leftJoin({ m: storage.table('messages') }, 'm.sequence', 'd.message')
      .where({ 'd.channel': channel.name, 'd.lane': lane, 'd.state': STATES.waiting })
      .where('d.next_at', '<=', timestampOf(now))
      .orderBy(['d.next_at', 'd.id'])
      .limit(limit)
      .select('d.id', 'd.target', 'd.ordered_by', 'd.content', 'd.attempts', {
        account: 'd.account_id',
        object_id: 'd.object_id',
      })
      .select({ named: 'd.event' }, ...MESSAGE_COLUMNS.map((column) => `m.${column}`))
      .select(pool.raw('cast(m.created_at as char) as at'))
      // Under another name, so that the order uses the indexed column and not its text.
      .select(pool.raw('cast(d.next_at as char) as next_at_text'))
    if (after) {
      query.where('d.next_at', '>=', after.nextAt)
      query.where((later) => later.where('d.next_at', '>', after.nextAt).orWhere('d.id', '>', after.id))
    }
    if (isBlocked) query.whereNotExists(isBlocked(lane))
    const rows: DeliveryRow[] = await query
    const page = rows.map((row) => deliveryOf(lane, row))
    return channel.readsChanges ? withChanges(page) : page
  }

  async function withChanges(page: readonly Delivery[]): Promise<readonly Delivery[]> {
    const lines = page.flatMap(({ message }) => message?.auditLineId ?? [])
    const changes = lines.length > 0 ? await readChanges(pool, storage, lines) : new Map<number, Changes>()
    return page.map((delivery) => ({ ...delivery, changes: changes.get(delivery.message?.auditLineId ?? 0) ?? {} }))
  }
}

interface DeliveryRow extends MessageRow {
  readonly id: number | string
  readonly target: string
  readonly account: string
  readonly ordered_by: string
  readonly named: string | null
  readonly object_id: number | string | null
  readonly content: string | null
  readonly attempts: number | string
  readonly next_at_text: string
}

function deliveryOf(lane: string, row: DeliveryRow): Delivery {
  return {
    id: Number(row.id),
    target: row.target,
    accountId: row.account,
    lane,
    key: row.ordered_by,
    message: row.sequence === null ? null : messageIn(row),
    event: row.named,
    objectId: row.object_id === null ? null : Number(row.object_id),
    content: row.content === null ? null : JSON.parse(row.content),
    attempts: Number(row.attempts),
    nextAt: row.next_at_text,
  }
}
