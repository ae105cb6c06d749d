/**
 * The deliveries as rows: which webhooks have work, who works for which webhook, what is next, what became of it. One process
 * at a time delivers for a webhook: it claims the webhook, not the single rows. That keeps the order across processes, costs
 * one write for many deliveries, and a crash leaves all rows as they were for whoever claims the webhook next.
 */
import type { Knex } from 'knex'
import type { Storage } from '../storage/connections.js'
import { inOwnTransaction } from '../storage/own-transaction.js'
import { dateOfTimestamp, timestampOf } from '../storage/timestamps.js'
import { afterAttempt, HEALTHY, type Health, mustDisable } from './health.js'
import type { LaneDelivery } from './lanes.js'
import type { Outcome } from './safe-request.js'
import { nextAttempt } from './schedule.js'

/** A webhook as the delivery needs it. */
export interface WebhookRow {
  readonly id: number
  readonly accountId: string
  readonly name: string
  readonly event: string
  readonly uri: string
  readonly mailExceptionsTo: string
  readonly disabled: boolean
}

export interface Delivery extends LaneDelivery {
  readonly id: number
  readonly event: string
  readonly objectId: number
  readonly body: string
  readonly link: string
  /** Failed attempts so far. */
  readonly attempts: number
  /** Text of the bookkeeping tables; with `id` the place in the queue. */
  readonly nextAt: string
}

/** A webhook with queued deliveries. */
export interface QueuedWebhook {
  readonly id: number
  /** When the first of its deliveries is due. */
  readonly dueAt: Date
  /** Until when another process delivers for it; null when none does. */
  readonly claimedUntil: Date | null
  readonly health: Health
}

/** One finished request. */
export interface Attempt {
  readonly delivery: Delivery
  readonly outcome: Outcome
  readonly at: Date
}

/** What the attempts of a batch made of the webhooks. */
export interface Settlement {
  /** Health of each webhook of the batch. */
  readonly health: ReadonlyMap<number, Health>
  /** Webhooks that were disabled, with the last error. */
  readonly disabled: ReadonlyMap<number, string>
  /** Messages that had their last attempt. */
  readonly dropped: number
}

export type Queue = ReturnType<typeof createQueue>

/** Values an `IN`. */
const IDS_A_STATEMENT = 500
const LONGEST_ERROR = 255

/** @param workerId unique for this process and plugin  @param claimFor milliseconds that a claim holds without being renewed */
export function createQueue(storage: Storage, workerId: string, claimFor: number) {
  const pool = storage.knex
  const deliveries = storage.table('deliveries')
  const health = storage.table('webhook_health')
  const webhooks = storage.table('webhooks')

  return { queued, claim, release, readWebhooks, read, settle, drop, healthy, forgetDropped }

  /** All webhooks that have deliveries, due or not. One query, which jumps through an index. */
  async function queued(now: Date): Promise<readonly QueuedWebhook[]> {
    const first = pool(deliveries).whereNull('dropped_at').groupBy('webhook_id').select('webhook_id').min({ due: 'next_at' })
    const rows: QueuedRow[] = await pool
      .from(first.as('queued'))
      .leftJoin({ health }, 'health.webhook_id', 'queued.webhook_id')
      .select({ id: 'queued.webhook_id' }, 'health.claimed_by', 'health.failures')
      .select(text(pool, 'queued.due'), text(pool, 'health.claimed_until'), text(pool, 'health.failing_since'))
    return rows.map((row) => {
      const until = row.claimed_until && row.claimed_by !== workerId ? dateOfTimestamp(row.claimed_until) : null
      return {
        id: Number(row.id),
        dueAt: dateOfTimestamp(row.due),
        claimedUntil: until && until > now ? until : null,
        health: healthOf(row),
      }
    })
  }

  /** Claims webhooks, or renews the claims. Answers those that are now ours. */
  async function claim(ids: readonly number[], now: Date): Promise<ReadonlySet<number>> {
    const mine = new Set<number>()
    for (const some of chunks(ids)) {
      const rows = some.map((webhook_id) => ({ webhook_id }))
      const known: unknown[] = await pool(health).whereIn('webhook_id', some).pluck('webhook_id')
      const unknown = rows.filter((row) => !known.map(Number).includes(row.webhook_id))
      if (unknown.length > 0) await pool(health).insert(unknown).onConflict('webhook_id').ignore()
      await pool(health)
        .whereIn('webhook_id', some)
        .where((free) =>
          free.whereNull('claimed_until').orWhere('claimed_until', '<=', timestampOf(now)).orWhere('claimed_by', workerId),
        )
        .update({ claimed_by: workerId, claimed_until: timestampOf(new Date(now.getTime() + claimFor)) })
      const ours: unknown[] = await pool(health).whereIn('webhook_id', some).where('claimed_by', workerId).pluck('webhook_id')
      for (const id of ours) mine.add(Number(id))
    }
    return mine
  }

  /** Gives claims back. */
  async function release(ids: readonly number[]): Promise<void> {
    for (const some of chunks(ids)) {
      await pool(health)
        .whereIn('webhook_id', some)
        .where('claimed_by', workerId)
        .update({ claimed_by: null, claimed_until: null })
    }
  }

  async function readWebhooks(ids: readonly number[]): Promise<ReadonlyMap<number, WebhookRow>> {
    const found = new Map<number, WebhookRow>()
    for (const some of chunks(ids)) {
      const rows: Record<string, unknown>[] = await pool(webhooks)
        .whereIn('id', some)
        .select('id', 'account_id', 'name', 'event', 'uri', 'mail_exceptions_to', 'disabled')
      for (const row of rows) found.set(Number(row['id']), webhookOf(row))
    }
    return found
  }

  /** The next due deliveries of a webhook after the given one, in order of occurrence. */
  async function read(webhookId: number, now: Date, after: Delivery | null, limit: number): Promise<readonly Delivery[]> {
    const query = pool(deliveries)
      .where({ webhook_id: webhookId })
      .whereNull('dropped_at')
      .where('next_at', '<=', timestampOf(now))
      .orderBy(['next_at', 'id'])
      .limit(limit)
      .select('id', 'event', 'object_id', 'body', 'link', 'attempts')
      // Under another name: the order is that of the column, which the index has, and not of its text.
      .select(pool.raw('cast(next_at as char) as next_at_text'))
    if (after) {
      query.where('next_at', '>=', after.nextAt)
      query.where((later) => later.where('next_at', '>', after.nextAt).orWhere('id', '>', after.id))
    }
    const rows: Record<string, unknown>[] = await query
    return rows.map((row) => deliveryOf(webhookId, row))
  }

  /**
   * Writes down what became of deliveries, in one transaction: successes are deleted, failures get their next time or are
   * dropped, the health of their webhooks is updated, and webhooks that failed for too long are disabled and emptied.
   */
  async function settle(attempts: readonly Attempt[]): Promise<Settlement> {
    const succeeded = attempts.filter(({ outcome }) => outcome.ok).map(({ delivery }) => delivery.id)
    const failed = attempts.filter(({ outcome }) => !outcome.ok)
    return inOwnTransaction(storage, async (db) => {
      for (const some of chunks(succeeded)) await db(deliveries).whereIn('id', some).delete()
      for (const group of groups(failed)) await putOff(db, group)
      const states = await updateHealth(db, attempts)
      const disabled = new Map<number, string>()
      for (const [id, state] of states) {
        const last = attempts.findLast(({ delivery }) => delivery.webhookId === id)
        if (last && mustDisable(state, last.at) && (await disable(db, id, reasonOf(last), last.at)))
          disabled.set(id, reasonOf(last))
      }
      const dropped = failed.filter(({ delivery, at }) => nextAttempt(delivery.attempts + 1, at) === null).length
      return { health: states, disabled, dropped }
    })
  }

  /** Drops everything that is queued for the webhooks (gaps 5.2, Disabled webhook). Answers how many messages that were. */
  async function drop(ids: readonly number[], db: Knex = pool): Promise<number> {
    let dropped = 0
    for (const some of chunks(ids)) {
      dropped += Number(await db(deliveries).whereIn('webhook_id', some).whereNull('dropped_at').delete())
    }
    return dropped
  }

  /** Forgets the failures of a webhook (gaps 5.1, Re-enabling). */
  async function healthy(id: number, db: Knex): Promise<void> {
    await db(health).where({ webhook_id: id }).update({ failures: 0, failing_since: null })
  }

  /** Deletes messages that were dropped before the given time; they are kept for a while for whoever asks what happened. */
  async function forgetDropped(before: Date): Promise<number> {
    return Number(await pool(deliveries).where('dropped_at', '<', timestampOf(before)).delete())
  }

  /** All of the group have the same number of attempts, reason and time. */
  async function putOff(db: Knex, group: readonly Attempt[]): Promise<void> {
    const [first] = group
    if (!first) return
    const attempts = first.delivery.attempts + 1
    const next = nextAttempt(attempts, first.at)
    await db(deliveries)
      .whereIn(
        'id',
        group.map(({ delivery }) => delivery.id),
      )
      // Another process that took over meanwhile may have counted this attempt already.
      .where('attempts', first.delivery.attempts)
      .update({
        attempts,
        last_error: reasonOf(first),
        ...(next ? { next_at: timestampOf(next) } : { dropped_at: timestampOf(first.at) }),
      })
  }

  /** Only the claimant of a webhook changes its health, apart from the reset on enabling; hence the lock. */
  async function updateHealth(db: Knex, attempts: readonly Attempt[]): Promise<ReadonlyMap<number, Health>> {
    const ids = [...new Set(attempts.map(({ delivery }) => delivery.webhookId))]
    const states = new Map<number, Health>()
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
      if (after.failures === before.failures && after.failingSince?.getTime() === before.failingSince?.getTime()) continue
      const failingSince = after.failingSince && timestampOf(after.failingSince)
      await db(health).where({ webhook_id: row.webhook_id }).update({ failures: after.failures, failing_since: failingSince })
    }
    return states
  }

  /** False when the webhook is gone or disabled already. */
  async function disable(db: Knex, id: number, reason: string, at: Date): Promise<boolean> {
    const changed = await db(webhooks)
      .where({ id })
      .where((enabled) => enabled.where('disabled', false).orWhereNull('disabled'))
      .update({ disabled: true, last_error: reason, updated_at: timestampOf(at).slice(0, 19) })
    await healthy(id, db)
    await drop([id], db)
    return Number(changed) > 0
  }
}

interface HealthRow {
  readonly webhook_id: number | string
  readonly failures: number | null
  readonly failing_since: string | null
}

interface QueuedRow extends Omit<HealthRow, 'webhook_id'> {
  readonly id: number | string
  readonly due: string
  readonly claimed_by: string | null
  readonly claimed_until: string | null
}

/** A time as text, under the column's own name, whatever the lent connection makes of times. */
function text(db: Knex, column: string): Knex.Raw {
  return db.raw('cast(?? as char) as ??', [column, column.split('.').at(-1) ?? column])
}

function healthOf(row: Pick<HealthRow, 'failures' | 'failing_since'>): Health {
  if (!row.failures || !row.failing_since) return HEALTHY
  return { failures: Number(row.failures), failingSince: dateOfTimestamp(row.failing_since) }
}

function webhookOf(row: Record<string, unknown>): WebhookRow {
  return {
    id: Number(row['id']),
    accountId: String(row['account_id']),
    name: String(row['name'] ?? row['event']),
    event: String(row['event']),
    uri: String(row['uri']),
    mailExceptionsTo: String(row['mail_exceptions_to'] ?? ''),
    disabled: Boolean(row['disabled']),
  }
}

function deliveryOf(webhookId: number, row: Record<string, unknown>): Delivery {
  const event = String(row['event'])
  const objectId = Number(row['object_id'])
  return {
    id: Number(row['id']),
    webhookId,
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
  return outcome.ok ? '' : outcome.reason.slice(0, LONGEST_ERROR)
}

/** Failures of one second with the same reason become the same row contents, so that they need one statement. */
function groups(failed: readonly Attempt[]): Iterable<readonly Attempt[]> {
  const found = new Map<string, Attempt[]>()
  for (const attempt of failed) {
    const key = `${attempt.delivery.attempts} ${Math.floor(attempt.at.getTime() / 1000)} ${reasonOf(attempt)}`
    const group = found.get(key)
    if (group) group.push(attempt)
    else found.set(key, [attempt])
  }
  return found.values()
}

function chunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / IDS_A_STATEMENT) }, (_, index) =>
    all.slice(index * IDS_A_STATEMENT, (index + 1) * IDS_A_STATEMENT),
  )
}
