/**
 * The deliveries as rows: receivers with work, their next deliveries, and the results. One process at a time delivers to a
 * receiver: it takes a lease for the receiver, not for single rows. That keeps the order across processes and webhooks, with
 * few writes. A crash leaves all rows unchanged for the process that takes the receiver next.
 */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import type { Storage } from '../storage/database/connections.js'
import { inOwnTransaction } from '../storage/database/own-transaction.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'
import type { Holder } from '../storage/queues/leases.js'
import { addToOutbox } from '../storage/queues/outbox.js'
import type { Attempt, Delivery } from './attempt.js'
import { addDisabledLine, disabledEvent, WEBHOOK_DISABLED } from './disabled-line.js'
import { afterAttempt, HEALTHY, type Health, mustDisable, mustWarn } from './health.js'
import { type Pauses, pausesAfter, storePauses } from './pauses.js'
import { type FailedGroup, groupFailures, nextTry } from './retries.js'
import type { Outcome } from './safe-request.js'
import type { Signing } from './sign.js'

/** The columns of a webhook that a delivery needs. */
export interface WebhookRow {
  readonly id: number
  readonly accountId: string
  readonly name: string
  readonly event: string
  readonly uri: string
  readonly signing: Signing
  readonly mailExceptionsTo: string
  readonly disabled: boolean
  readonly health: Health
}

/** A receiver with queued deliveries. */
export interface QueuedReceiver {
  readonly receiver: string
  /** Time at which its first delivery is due, and its pause is over. */
  readonly dueAt: Date
  /** True while another process has the lease for it. */
  readonly isServedElsewhere: boolean
}

/** Consequences of a batch of attempts. */
export interface Acknowledgement {
  /** Health of each webhook of the batch. */
  readonly health: ReadonlyMap<number, Health>
  /** Webhooks that were disabled, with the last error. */
  readonly disabled: ReadonlyMap<number, string>
  /** Webhooks that fail so often that their readers are warned. */
  readonly warned: ReadonlySet<number>
  /** Receivers that get nothing before a time. */
  readonly paused: Pauses
  /** Number of deliveries after their last attempt. */
  readonly dropped: number
}

export type Queue = ReturnType<typeof createQueue>

/** Maximum number of rows that one statement deletes in the background. */
const ROWS_PER_SWEEP = 1000
const MAX_ERROR_LENGTH = 255

/** The kind of the leases for receivers. */
export const RECEIVER_LEASE = 'receiver'

/**
 * @param holder of the leases for receivers
 * @param wakeDispatch is called after a commit, with the names of its events
 */
export function createQueue(storage: Storage, holder: Holder, wakeDispatch: (events: readonly string[]) => void) {
  const pool = storage.knex
  const deliveries = storage.table('deliveries')
  const health = storage.table('webhook_health')
  const webhooks = storage.table('webhooks')
  const leases = storage.table('leases')
  const pauses = storage.table('receiver_pauses')

  const { take, prolong, release } = holder
  return {
    take,
    prolong,
    release,
    queued,
    readWebhooks,
    signingOf,
    read,
    acknowledge,
    drop,
    move,
    healthy,
    noteTest,
    purgeDropped,
  }

  /** Returns all receivers with deliveries, due or not. One query, which skips through an index. */
  async function queued(): Promise<readonly QueuedReceiver[]> {
    const first = pool(deliveries).whereNull('dropped_at').groupBy('receiver').select('receiver').min({ due: 'next_at' })
    const rows: QueuedRow[] = await pool
      .from(first.as('queued'))
      .leftJoin({ l: leases }, (join) => join.on('l.name', 'queued.receiver').andOnVal('l.kind', RECEIVER_LEASE))
      .leftJoin({ p: pauses }, 'p.receiver', 'queued.receiver')
      .select('queued.receiver', 'l.holder')
      .select(text(pool, 'queued.due'), text(pool, 'l.held_until'), text(pool, 'p.paused_until'))
    return rows.map((row) => ({
      receiver: row.receiver,
      dueAt: dateOfTimestamp(row.paused_until !== null && row.paused_until > row.due ? row.paused_until : row.due),
      isServedElsewhere: holder.isElsewhere({ holder: row.holder, heldUntil: row.held_until }),
    }))
  }

  async function readWebhooks(ids: readonly number[]): Promise<ReadonlyMap<number, WebhookRow>> {
    const found = new Map<number, WebhookRow>()
    for (const some of chunksOf(ids, MAX_VALUES)) {
      const rows: WebhookColumns[] = await pool({ w: webhooks })
        .leftJoin({ h: health }, 'h.webhook_id', 'w.id')
        .whereIn('w.id', some)
        .select('w.id', 'w.account_id', 'w.name', 'w.event', 'w.uri', 'w.mail_exceptions_to', 'w.disabled', 'h.failures')
        .select('w.secret', 'w.previous_secret', text(pool, 'w.previous_secret_until'))
        .select(text(pool, 'h.failing_since'))
      for (const row of rows) found.set(Number(row.id), webhookOf(row))
    }
    return found
  }

  /** The secrets of a webhook as they are now. */
  async function signingOf(id: number): Promise<Signing> {
    const webhook = (await readWebhooks([id])).get(id)
    return webhook?.signing ?? { secret: null, previous: null, previousUntil: null }
  }

  /** Returns the next due deliveries of a receiver after the given one, in order of occurrence. */
  async function read(receiver: string, now: Date, after: Delivery | null, limit: number): Promise<readonly Delivery[]> {
    const query = pool(deliveries)
      .where({ receiver })
      .whereNull('dropped_at')
      .where('next_at', '<=', timestampOf(now))
      .orderBy(['next_at', 'id'])
      .limit(limit)
      .select('id', 'webhook_id', 'event', 'object_id', 'body', 'link', 'attempts')
      // Under another name, so that the order uses the indexed column and not its text.
      .select(pool.raw('cast(next_at as char) as next_at_text'))
    if (after) {
      query.where('next_at', '>=', after.nextAt)
      query.where((later) => later.where('next_at', '>', after.nextAt).orWhere('id', '>', after.id))
    }
    const rows: Record<string, unknown>[] = await query
    return rows.map((row) => deliveryOf(receiver, row))
  }

  /**
   * Acknowledges deliveries in one transaction: deletes successful ones, schedules failed ones again or drops them, updates the
   * health of their webhooks, and disables webhooks that have failed for too long, with all their deliveries. If the lease of a
   * receiver is lost, only successes count: they must not be sent again, and the process that now delivers there decides the
   * rest.
   */
  async function acknowledge(finished: readonly Attempt[]): Promise<Acknowledgement> {
    const succeeded = finished.filter(({ outcome }) => outcome.ok).map(({ delivery }) => delivery.id)
    const result = await inOwnTransaction(storage, async (db) => {
      const ours = await holder.fenceAll(
        db,
        finished.map(({ delivery }) => delivery.receiver),
      )
      const attempts = finished.filter(({ delivery }) => ours.has(delivery.receiver))
      const failed = attempts.filter(({ outcome }) => !outcome.ok)
      for (const some of chunksOf(succeeded, MAX_VALUES)) await db(deliveries).whereIn('id', some).delete()
      for (const group of groupFailures(failed, reasonOf)) await putOff(db, group)
      const { states, warned } = await updateHealth(db, attempts)
      const paused = pausesAfter(attempts, states)
      await storePauses(storage, db, paused)
      const disabled = new Map<number, string>()
      for (const [id, state] of states) {
        const last = attempts.findLast(({ delivery }) => delivery.webhookId === id)
        if (last && mustDisable(state, last.at) && (await disable(db, id, reasonOf(last), last.at)))
          disabled.set(id, reasonOf(last))
      }
      const dropped = failed.filter((attempt) => nextTry(attempt) === null).length
      return { health: states, disabled, warned, paused, dropped }
    })
    if (result.disabled.size > 0) wakeDispatch([WEBHOOK_DISABLED])
    return result
  }

  /** Drops all queued deliveries of the webhooks, and returns their number (behaviour: Webhook management). */
  async function drop(ids: readonly number[], db: Knex = pool): Promise<number> {
    let dropped = 0
    for (const some of chunksOf(ids, MAX_VALUES)) {
      dropped += Number(await db(deliveries).whereIn('webhook_id', some).whereNull('dropped_at').delete())
    }
    return dropped
  }

  /** Moves the queued deliveries of a webhook to another receiver. */
  async function move(id: number, receiver: string, db: Knex = pool): Promise<void> {
    await db(deliveries).where({ webhook_id: id }).whereNot({ receiver }).update({ receiver })
  }

  /** Stores the result of a test, unless the URL of the webhook has changed since. Leaves no audit line. */
  async function noteTest({ id, uri }: Pick<WebhookRow, 'id' | 'uri'>, outcome: Outcome): Promise<void> {
    await pool(webhooks)
      .where({ id, uri })
      .update({ last_error: outcome.ok ? null : outcome.reason.slice(0, MAX_ERROR_LENGTH) })
  }

  /** Resets the failures of a webhook (behaviour: Webhook management). */
  async function healthy(id: number, db: Knex): Promise<void> {
    await db(health).where({ webhook_id: id }).update({ failures: 0, failing_since: null })
  }

  /** Deletes deliveries that were dropped before the given time. Until then they are kept for inspection. */
  async function purgeDropped(before: Date): Promise<number> {
    for (let forgotten = 0; ; ) {
      const ids: unknown[] = await pool(deliveries)
        .where('dropped_at', '<', timestampOf(before))
        .limit(ROWS_PER_SWEEP)
        .pluck('id')
      for (const some of chunksOf(ids, MAX_VALUES))
        forgotten += Number(
          await pool(deliveries)
            .whereIn('id', some as number[])
            .delete(),
        )
      if (ids.length < ROWS_PER_SWEEP) return forgotten
    }
  }

  /** Schedules a group again. Its deliveries have the same number of attempts, reason and time. */
  async function putOff(db: Knex, { attempts: group, next }: FailedGroup): Promise<void> {
    const [first] = group
    if (!first) return
    const attempts = first.delivery.attempts + 1
    await db(deliveries)
      .whereIn(
        'id',
        group.map(({ delivery }) => delivery.id),
      )
      // A process that had the lease in between may have counted this attempt already.
      .where('attempts', first.delivery.attempts)
      .update({
        attempts,
        last_error: reasonOf(first),
        ...(next ? { next_at: timestampOf(next) } : { dropped_at: timestampOf(first.at) }),
      })
  }

  /** Only the process that delivers to it changes the health of a webhook, apart from the reset on enabling; hence the lock. */
  async function updateHealth(db: Knex, attempts: readonly Attempt[]): Promise<Updated> {
    const ids = [...new Set(attempts.map(({ delivery }) => delivery.webhookId))]
    const states = new Map<number, Health>()
    const warned = new Set<number>()
    const known: unknown[] = await db(health).whereIn('webhook_id', ids).pluck('webhook_id')
    const unknown = ids.filter((id) => !known.map(Number).includes(id)).map((webhook_id) => ({ webhook_id }))
    if (unknown.length > 0) await db(health).insert(unknown).onConflict('webhook_id').ignore()
    const rows: HealthRow[] = await db(health)
      .whereIn('webhook_id', ids)
      .orderBy('webhook_id')
      .forUpdate()
      .select('webhook_id', 'failures', text(db, 'failing_since'))
    for (const row of rows) {
      const own = attempts.filter(({ delivery }) => delivery.webhookId === Number(row.webhook_id))
      const before = healthOf(row)
      const after = own.reduce((state, { outcome, at }) => afterAttempt(state, outcome.ok, at), before)
      states.set(Number(row.webhook_id), after)
      if (mustWarn(before, after)) warned.add(Number(row.webhook_id))
      if (after.failures === before.failures && after.failingSince?.getTime() === before.failingSince?.getTime()) continue
      const failingSince = after.failingSince && timestampOf(after.failingSince)
      await db(health).where({ webhook_id: row.webhook_id }).update({ failures: after.failures, failing_since: failingSince })
    }
    return { states, warned }
  }

  /** Disables a webhook. Returns false if it is deleted or disabled already. */
  async function disable(db: Knex, id: number, reason: string, at: Date): Promise<boolean> {
    const found = await db(webhooks).where({ id }).forUpdate().first('account_id', 'disabled')
    const isEnabled = found !== undefined && !found.disabled
    if (isEnabled) {
      const changes = { disabled: true, last_error: reason, updated_at: timestampOf(at).slice(0, 19) }
      await db(webhooks).where({ id }).update(changes)
      const webhook = { id, accountId: String(found.account_id) }
      await addDisabledLine(storage, db, { ...webhook, was: found.disabled }, at)
      await addToOutbox(db, storage, [disabledEvent(webhook, at)])
    }
    await healthy(id, db)
    await drop([id], db)
    return isEnabled
  }
}

interface HealthRow {
  readonly webhook_id: number | string
  readonly failures: number | null
  readonly failing_since: string | null
}

/** What attempts have changed: the health of their webhooks, and whose readers are warned. */
interface Updated {
  readonly states: ReadonlyMap<number, Health>
  readonly warned: ReadonlySet<number>
}

interface QueuedRow {
  readonly receiver: string
  readonly due: string
  readonly paused_until: string | null
  readonly holder: string | null
  readonly held_until: string | null
}

interface WebhookColumns extends Omit<HealthRow, 'webhook_id'> {
  readonly id: number | string
  readonly account_id: string
  readonly name: string | null
  readonly event: string
  readonly uri: string
  readonly mail_exceptions_to: string | null
  readonly disabled: boolean | number | null
  readonly secret: string | null
  readonly previous_secret: string | null
  readonly previous_secret_until: string | null
}

/** A timestamp as text under the name of its column, independent of how a lent connection converts times. */
function text(db: Knex, column: string): Knex.Raw {
  return db.raw('cast(?? as char) as ??', [column, column.split('.').at(-1) ?? column])
}

function healthOf(row: Pick<HealthRow, 'failures' | 'failing_since'>): Health {
  if (!row.failures || !row.failing_since) return HEALTHY
  return { failures: Number(row.failures), failingSince: dateOfTimestamp(row.failing_since) }
}

function webhookOf(row: WebhookColumns): WebhookRow {
  return {
    id: Number(row.id),
    accountId: row.account_id,
    name: row.name ?? row.event,
    event: row.event,
    uri: row.uri,
    signing: {
      secret: row.secret,
      previous: row.previous_secret,
      previousUntil: row.previous_secret_until === null ? null : dateOfTimestamp(row.previous_secret_until),
    },
    mailExceptionsTo: row.mail_exceptions_to ?? '',
    disabled: Boolean(row.disabled),
    health: healthOf(row),
  }
}

function deliveryOf(receiver: string, row: Record<string, unknown>): Delivery {
  const event = String(row['event'])
  const objectId = Number(row['object_id'])
  return {
    id: Number(row['id']),
    webhookId: Number(row['webhook_id']),
    receiver,
    key: `${event.split('.')[0]}/${objectId}`,
    event,
    objectId,
    body: String(row['body']),
    link: String(row['link'] ?? ''),
    attempts: Number(row['attempts']),
    nextAt: String(row['next_at_text']),
  }
}

function reasonOf({ outcome }: Attempt): string {
  return outcome.ok ? '' : outcome.reason.slice(0, MAX_ERROR_LENGTH)
}
