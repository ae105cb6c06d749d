/**
 * The deliveries of a channel as rows: lanes with work, their next deliveries, and the results. One process at a time sends what is
 * in a lane: it takes a lease for the lane, not for single rows. That keeps the order across processes and targets, with few
 * writes. A crash leaves all rows unchanged for the process that takes the lane next.
 */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import { inOwnTransaction } from '../storage/database/own-transaction.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'
import { DELIVERIES, insertDeliveries, rowOfDelivery, STATES } from '../storage/queues/delivery-rows.js'
import { insertRows, whereIds } from '../storage/queues/insert-rows.js'
import type { Holder } from '../storage/queues/leases.js'
import { ATTEMPTS, rowsOfAttempts } from './attempt-rows.js'
import type { Channel, Consequences } from './channel.js'
import type { Attempt, Failure } from './delivery.js'
import { createCarryOver } from './older-rows.js'
import { storePauses } from './pauses.js'
import { createReader } from './read-deliveries.js'
import { type FailedGroup, groupFailures } from './retries.js'
import { createTargets, type TargetsDeps } from './targets.js'

/** A lane with waiting deliveries. */
export interface QueuedLane {
  readonly lane: string
  /** Time at which its first delivery is due, and its pause is over. */
  readonly dueAt: Date
  /** True while another process has the lease for it. */
  readonly isServedElsewhere: boolean
}

export interface QueueDeps extends TargetsDeps {
  readonly channel: Channel
  /** Of the leases for lanes. */
  readonly holder: Holder
}

/** The waiting deliveries of one channel. */
export type Queue = ReturnType<typeof createQueue>

const NOTHING: Consequences = { paused: new Map(), limits: new Map() }

export function createQueue({ storage, clock, channel, holder, keepsSent }: QueueDeps) {
  const pool = storage.knex
  const table = storage.table(DELIVERIES)
  const own = (db: Knex = pool) => db(table).where({ channel: channel.name })
  const { take, prolong, release } = holder
  const { carryOver, isBlocked } = createCarryOver({ storage, channel, holder })
  const targets = createTargets({ storage, clock, keepsSent }, channel.name)

  return {
    take,
    prolong,
    release,
    carryOver,
    queued,
    read: createReader({ storage, channel, isBlocked }),
    acknowledge,
    pause,
    drop: (gone: readonly string[]) => targets.drop(pool, gone),
    dropLane: targets.dropLane,
    move: (target: string, lane: string) => targets.move(pool, target, lane),
  }

  /**
   * Returns all lanes with deliveries, due or not. One query, which skips through an index from lane to lane: grouped rows would all be
   * read, also those that were sent long ago. Servers skip only where the channel is a range.
   */
  async function queued(): Promise<readonly QueuedLane[]> {
    const lanes = pool(table)
      .whereRaw('channel >= ? and channel <= ?', [channel.name, channel.name])
      .distinct('channel', 'lane')
    const first = own()
      .where({ state: STATES.waiting })
      .whereRaw('?? = ??', [`${table}.lane`, 'lanes.lane'])
      .orderBy('next_at')
      .limit(1)
      .select('next_at')
    const rows: QueuedRow[] = await pool
      .from(pool.from(lanes.as('lanes')).select('lane', first.as('due')).as('queued'))
      .leftJoin({ l: storage.table('leases') }, (join) =>
        join.on('l.name', 'queued.lane').andOnVal('l.kind', channel.leaseKind),
      )
      .leftJoin({ p: storage.table('receiver_pauses') }, 'p.receiver', 'queued.lane')
      .whereNotNull('queued.due')
      .select('queued.lane', 'queued.due', 'l.holder', 'l.held_until', 'p.paused_until')
    return rows.map((row) => ({
      lane: row.lane,
      dueAt: dateOfTimestamp(row.paused_until !== null && row.paused_until > row.due ? row.paused_until : row.due),
      isServedElsewhere: holder.isElsewhere({ holder: row.holder, heldUntil: row.held_until }),
    }))
  }

  /**
   * Acknowledges attempts in one transaction: successful ones are sent, failed ones are due again or given up, and their targets
   * follow. If the lease of a lane is lost, only successes count: they must not be sent again, and the process that now serves the
   * lane decides the rest.
   */
  async function acknowledge(finished: readonly Attempt[]): Promise<Consequences> {
    const succeeded = finished.filter(({ outcome }) => outcome.ok)
    return inOwnTransaction(storage, async (db) => {
      const ours = await holder.fenceAll(
        db,
        finished.map(({ delivery }) => delivery.lane),
      )
      const attempts = finished.filter(({ delivery }) => ours.has(delivery.lane))
      await noteSent(db, succeeded)
      await replace(db, attempts)
      for (const group of groupFailures(attempts.filter(isFailed), channel.nextTry)) await putOff(db, group)
      if (keepsSent) await insertRows(db, storage, ATTEMPTS, rowsOfAttempts(channel.name, finished.filter(isKept)))
      const follows = (await channel.acknowledge?.(db, attempts)) ?? NOTHING
      await storePauses(storage, db, follows.paused)
      const gone = [...follows.limits].flatMap(([target, limit]) => (limit === null ? [target] : []))
      await targets.drop(db, gone)
      return follows
    })
  }

  /** Pauses a lane, unless another process has taken it over. */
  async function pause(lane: string, until: Date): Promise<void> {
    await inOwnTransaction(storage, async (db) => {
      if ((await holder.fenceAll(db, [lane])).has(lane)) await storePauses(storage, db, new Map([[lane, until]]))
    })
  }

  async function noteSent(db: Knex, succeeded: readonly Attempt[]): Promise<void> {
    const at = timestampOf(clock.now())
    for (const some of chunksOf(succeeded.filter(isKept), MAX_VALUES)) {
      for (const [putBackAt, ids] of byPutBack(some)) {
        // What was put back meanwhile, by a retry or a replay, is sent again.
        const same = whereIds(own(db), ids).where((one) =>
          one.whereNot({ state: STATES.waiting }).orWhere({ finished_at: putBackAt }),
        )
        if (keepsSent) await same.update({ state: STATES.sent, finished_at: at, last_error: null })
        else await same.delete()
      }
    }
    if (!keepsSent) await forgetMessages(db, succeeded)
  }

  /** Puts deliveries in the place of those that have become several, or none, unless another process has done so. */
  async function replace(db: Knex, attempts: readonly Attempt[]): Promise<void> {
    const replaced = attempts.filter((attempt) => !isKept(attempt))
    if (replaced.length === 0) return
    const ids = replaced.map(({ delivery }) => delivery.id)
    const which = () => whereIds(own(db), ids)
    const found: unknown[] = await which().forUpdate().pluck('id')
    const left = new Set(found.map(Number))
    const now = timestampOf(clock.now())
    const rows = replaced.flatMap(({ delivery: { event, id, message, objectId }, outcome }) => {
      const about = message && { message: message.sequence, event: { event: event ?? '', recordId: objectId ?? 0 } }
      const becomes = outcome.ok && left.has(id) ? (outcome.becomes ?? []) : []
      return becomes.map((delivery) => rowOfDelivery(channel.name, delivery, about, now))
    })
    await insertDeliveries(db, storage, rows)
    await which().delete()
  }

  /** Deletes messages without further deliveries. The newest one stays, because the next one counts from it. */
  async function forgetMessages(db: Knex, sent: readonly Attempt[]): Promise<void> {
    const messages = storage.table('messages')
    const sequences = [...new Set(sent.flatMap(({ delivery }) => delivery.message?.sequence ?? []))]
    const [newest] = sequences.length > 0 ? await db(messages).max({ sequence: 'sequence' }) : []
    for (const some of chunksOf(sequences, MAX_VALUES)) {
      await db(messages)
        .whereIn('sequence', some)
        .where('sequence', '<', Number(newest?.['sequence'] ?? 0))
        .whereNotExists(
          db(table)
            .whereRaw('?? = ??', [`${table}.message`, `${messages}.sequence`])
            .select(db.raw('1')),
        )
        .delete()
    }
  }

  /** Schedules a group again. Its deliveries have the same number of attempts, reason and time. */
  async function putOff(db: Knex, { attempts: group, next }: FailedGroup): Promise<void> {
    const [first] = group
    if (!first) return
    const { at, delivery, outcome } = first
    const ids = group.map(({ delivery: { id } }) => id)
    await whereIds(own(db), ids)
      // A process that had the lease in between may have counted this attempt already.
      .where({ attempts: delivery.attempts, finished_at: delivery.putBackAt })
      .update({
        attempts: delivery.attempts + 1,
        last_error: outcome.reason,
        ...(next ? { next_at: timestampOf(next) } : { state: STATES.failed, finished_at: timestampOf(at) }),
      })
  }
}

/** Ids of deliveries, by the time at which they were put back. */
function byPutBack(attempts: readonly Attempt[]): ReadonlyMap<string | null, number[]> {
  const found = new Map<string | null, number[]>()
  for (const { delivery } of attempts) {
    const ids = found.get(delivery.putBackAt)
    if (ids) ids.push(delivery.id)
    else found.set(delivery.putBackAt, [delivery.id])
  }
  return found
}

function isFailed(attempt: Attempt): attempt is Attempt<Failure> {
  return !attempt.outcome.ok
}

/** False for a delivery in whose place others come. */
function isKept({ outcome }: Attempt): boolean {
  return !outcome.ok || outcome.becomes === undefined
}

interface QueuedRow {
  readonly lane: string
  readonly due: string
  readonly paused_until: string | null
  readonly holder: string | null
  readonly held_until: string | null
}
