/**
 * Retries and replays: rows of deliveries that wait again, or for the first time. The row stays, and with it the id that receivers
 * know. Order: the queue is read by time and id, so what is put back stands behind what is due already, and before what comes
 * later (ADR 65).
 */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Clock } from '../../core/clock.js'
import { Conflict } from '../../core/errors.js'
import type { Storage } from '../../storage/database/connections.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import {
  DELIVERIES,
  insertDeliveries,
  type NewDelivery,
  rowOfDelivery,
  STATES,
  TEST_KEY,
} from '../../storage/queues/delivery-rows.js'
import type { Message } from '../../storage/queues/messages.js'
import type { Logged } from './read-log.js'

/** Something that a replay sends: a delivery, or a message that has none yet. */
export type Candidate = { readonly key: string; readonly sequence: number } & (
  | { readonly id: number }
  | { readonly id: null; readonly message: Message; readonly planned: NewDelivery }
)

/** Position of the last candidate of a record in the queue. */
interface Position {
  readonly at: number
  readonly id: number
}

/**
 * Lets a delivery wait, due now, with ten further attempts. Its row is locked.
 *
 * @param lane where its target leads now
 * @throws Conflict if it is due or being sent, and for tests
 */
export async function retryNow(
  db: Knex,
  storage: Storage,
  { delivery, listed }: Logged,
  lane: string,
  now: Date,
): Promise<void> {
  if (delivery.key === TEST_KEY) throw new Conflict('This is a test: send another one')
  const isDue = listed.state === STATES.waiting && delivery.nextAt <= timestampOf(now)
  if (isDue) throw new Conflict('This delivery is due, or being sent')
  await db(storage.table(DELIVERIES))
    .where({ id: delivery.id })
    .update(waiting(lane, now, now))
}

/** Returns a function that puts back candidates in their order: those of one call at a time, in the transaction `db`. */
export function createPutBack({ clock, storage }: { readonly clock: Clock; readonly storage: Storage }, channel: string) {
  const positions = new Map<string, Position>()

  /** @param states of the rows that are put back; others have changed since they were found, and stay as they are */
  return async (db: Knex, candidates: readonly Candidate[], lane: string, states: readonly string[]): Promise<number> => {
    const now = clock.now()
    const ids = new Map<number, number[]>()
    const rows: object[] = []
    for (const one of candidates) {
      const at = positionOf(one, now.getTime())
      if (one.id !== null) ids.set(at, [...(ids.get(at) ?? []), one.id])
      else rows.push(rowOfDelivery(channel, { ...one.planned, lane }, aboutOf(one.message), timestampOf(new Date(at))))
    }
    let count = rows.length
    for (const [at, same] of ids) {
      for (const some of chunksOf(same, MAX_VALUES)) {
        const rowsOf = db(storage.table(DELIVERIES))
          .whereIn('id', [...some])
          .whereIn('state', [...states])
        count += Number(await rowsOf.update(waiting(lane, new Date(at), now)))
      }
    }
    await insertDeliveries(db, storage, rows)
    return count
  }

  /** Time at which a candidate is due: a millisecond later if its row would stand before an earlier event of its record. */
  function positionOf({ id, key }: Candidate, now: number): number {
    const before = positions.get(key)
    const own = id ?? Number.POSITIVE_INFINITY
    const isBehind = before === undefined || before.at < now || own >= before.id
    const at = Math.max(now, before === undefined ? now : isBehind ? before.at : before.at + 1)
    positions.set(key, { at, id: own })
    return at
  }
}

function waiting(lane: string, next: Date, now: Date) {
  const times = { next_at: timestampOf(next), finished_at: timestampOf(now) }
  return { state: STATES.waiting, attempts: 0, lane, ...times }
}

function aboutOf({ event, recordId, sequence }: Message) {
  return { message: sequence, event: { event, recordId } }
}
