/** Reads pages of a lane: deliveries with their messages. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { STATES } from '../storage/queues/delivery-rows.js'
import { type Audited, readChanges } from '../storage/queues/messages.js'
import type { Channel } from './channel.js'
import type { Delivery } from './delivery.js'
import { type DeliveryRow, deliveryOf, selectDeliveries } from './delivery-row.js'

/** Of events without an audit line. */
const NOTHING: Audited = { changes: {}, cause: null }

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
    const query = selectDeliveries(pool, storage)
      .where({ 'd.channel': channel.name, 'd.lane': lane, 'd.state': STATES.waiting })
      .where('d.next_at', '<=', timestampOf(now))
      .orderBy(['d.next_at', 'd.id'])
      .limit(limit)
    if (after) {
      query.where('d.next_at', '>=', after.nextAt)
      query.where((later) => later.where('d.next_at', '>', after.nextAt).orWhere('d.id', '>', after.id))
    }
    if (isBlocked) query.whereNotExists(isBlocked(lane))
    const rows: DeliveryRow[] = await query
    const page = rows.map(deliveryOf)
    return channel.readsChanges ? withChanges(page) : page
  }

  async function withChanges(page: readonly Delivery[]): Promise<readonly Delivery[]> {
    const lines = page.flatMap(({ message }) => message?.auditLineId ?? [])
    const audited = lines.length > 0 ? await readChanges(pool, storage, lines) : new Map<number, Audited>()
    return page.map((delivery) => ({ ...delivery, ...(audited.get(delivery.message?.auditLineId ?? 0) ?? NOTHING) }))
  }
}
