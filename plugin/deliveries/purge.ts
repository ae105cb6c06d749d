/** Deletes messages, deliveries and attempts that are kept no longer, in small steps. */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { DELIVERIES, STATES } from '../storage/queues/delivery-rows.js'
import { ATTEMPTS } from './attempt-rows.js'
import { endTests } from './log/tests.js'
import { purgePauses } from './pauses.js'

export interface PurgeDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** Channels of this process. */
  readonly channels: readonly { readonly name: string }[]
  /** Days for which messages are kept, with their deliveries. */
  readonly keepDays: number
}

/** Deletes what is kept no longer, until nothing is left. */
export type Purge = () => Promise<void>

const DAY = 24 * 3600_000
/** Days for which deliveries that were given up are kept in any case, for inspection. */
const KEEP_FAILED = 30
/** Days for which deliveries of a channel that this process does not have wait for one that has it. */
const KEEP_UNKNOWN = 1
/** Milliseconds after which a test without a result has lost its process. */
const TEST_WITHIN = 3600_000
/** Maximum number of rows that one statement deletes in the background. */
const ROWS_PER_STEP = 500

/** Creates the purge. Waiting deliveries keep their messages, and the newest message stays, because the next one counts from it. */
export function createPurge({ channels, clock, keepDays, log, storage }: PurgeDeps): Purge {
  const { knex } = storage
  const [messages, deliveries, attempts] = [storage.table('messages'), storage.table(DELIVERIES), storage.table(ATTEMPTS)]
  const before = (days: number) => timestampOf(new Date(clock.now().getTime() - days * DAY))

  return async () => {
    await purgePauses(storage, clock.now())
    await dropUnknown()
    await endTests(storage, new Date(clock.now().getTime() - TEST_WITHIN))
    for (const [state, days] of [
      [STATES.sent, keepDays],
      [STATES.failed, keepDays || KEEP_FAILED],
      [STATES.dropped, keepDays || KEEP_FAILED],
    ] as const) {
      const over = () => knex(deliveries).where({ state }).where('finished_at', '<', before(days))
      while ((await forgetDeliveries(over())) === ROWS_PER_STEP);
    }
    while ((await forgetMessages()) === ROWS_PER_STEP);
  }

  /** Drops what waits in channels that the host no longer has. It would keep its messages, and all later ones, forever. */
  async function dropUnknown(): Promise<void> {
    const names = channels.map(({ name }) => name)
    const late = () =>
      knex(deliveries)
        .where({ state: STATES.waiting })
        .whereNotIn('channel', names)
        .where('created_at', '<', before(KEEP_UNKNOWN))
    const unknown: string[] = await late().distinct().pluck('channel')
    if (unknown.length === 0) return
    const columns = { state: STATES.dropped, finished_at: before(0), last_error: 'No process knows it any more' }
    const dropped = Number(await late().update(columns))
    log.error({ dropped, channels: unknown }, 'Channels of queued deliveries no longer exist; their deliveries are dropped')
  }

  async function forgetDeliveries(over: Knex.QueryBuilder): Promise<number> {
    const ids: number[] = await over.limit(ROWS_PER_STEP).pluck('id')
    if (ids.length === 0) return 0
    await knex(attempts).whereIn('delivery_id', ids).delete()
    await knex(deliveries).whereIn('id', ids).delete()
    return ids.length
  }

  /** Messages go in the order of their numbers, so that what is kept is without gaps. Those with deliveries stay. */
  async function forgetMessages(): Promise<number> {
    const [newest] = await knex(messages).max({ sequence: 'sequence' })
    const [wanted] = await knex(deliveries).min({ sequence: 'message' })
    const end = Math.min(Number(newest?.['sequence'] ?? 0), Number(wanted?.['sequence'] ?? Number.POSITIVE_INFINITY))
    const oldest: { sequence: number | string; at: string }[] = await knex(messages)
      .orderBy('sequence')
      .limit(ROWS_PER_STEP)
      .select('sequence', 'created_at as at')
    const isOver = ({ at, sequence }: (typeof oldest)[number]) => at < before(keepDays) && Number(sequence) < end
    const kept = oldest.findIndex((message) => !isOver(message))
    const over = kept < 0 ? oldest : oldest.slice(0, kept)
    const sequences = over.map(({ sequence }) => Number(sequence))
    if (sequences.length > 0) await knex(messages).whereIn('sequence', sequences).delete()
    return sequences.length
  }
}
