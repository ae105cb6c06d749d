/** Figures of a target, for its health. */
import type { Clock } from '../../core/clock.js'
import { type Instant, instantOf } from '../../core/clock.js'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { DELIVERIES, STATES } from '../../storage/queues/delivery-rows.js'
import { ATTEMPTS } from '../attempt-rows.js'

/** Attempts of a time. */
export interface Attempted {
  readonly sent: number
  readonly failed: number
}

/** See the head of this file. */
export interface Figures {
  /** Number of deliveries that wait. */
  readonly waiting: number
  /** When the oldest of them was queued. */
  readonly oldest_waiting_at: Instant | null
  readonly last_hour: Attempted
  readonly last_day: Attempted
}

const HOUR = 3600_000
const DAY = 24 * HOUR

/** Reads the figures of a target: two queries, each by an index. */
export async function readFigures(
  { clock, storage }: { readonly clock: Clock; readonly storage: Storage },
  channel: string,
  target: string,
): Promise<Figures> {
  const { knex } = storage
  const now = clock.now().getTime()
  const [hour, day] = [timestampOf(new Date(now - HOUR)), timestampOf(new Date(now - DAY))]
  const [row] = (await knex(storage.table(DELIVERIES))
    .where({ channel, target, state: STATES.waiting })
    .min('created_at as oldest')
    .count({ waiting: '*' })) as { waiting?: number | string; oldest?: string | null }[]
  const [sums] = (await knex(storage.table(ATTEMPTS))
    .where({ channel, target })
    .where('at', '>=', day)
    .count({ attempts: '*' })
    .select(knex.raw('count(reason) as failed'))
    .select(knex.raw('sum(case when at >= ? then 1 else 0 end) as recent', [hour]))
    .select(knex.raw('count(case when at >= ? then reason end) as failed_recent', [hour]))) as Record<string, unknown>[]
  const number = (name: string) => Number(sums?.[name] ?? 0)
  return {
    waiting: Number(row?.waiting ?? 0),
    oldest_waiting_at: row?.oldest ? instantOf(dateOfTimestamp(row.oldest)) : null,
    last_hour: { sent: number('recent') - number('failed_recent'), failed: number('failed_recent') },
    last_day: { sent: number('attempts') - number('failed'), failed: number('failed') },
  }
}
