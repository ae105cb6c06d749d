/**
 * Consequences of attempts for their webhooks: health, pauses of failing receivers, and the end of webhooks that have failed for too
 * long (spec, Events, Delivery 7; behaviour: Webhook health).
 */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Consequences } from '../deliveries/channel.js'
import type { Attempt, Failure } from '../deliveries/delivery.js'
import { later, type Pauses } from '../deliveries/pauses.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { addToOutbox } from '../storage/queues/outbox.js'
import { addDisabledLine, disabledEvent, WEBHOOK_DISABLED } from './disabled-line.js'
import { addFailureMails, BETWEEN_MAILS, type Notice } from './failure-mails.js'
import {
  afterAttempt,
  concurrencyFor,
  FAILURES_TO_PROBE,
  type Health,
  mustDisable,
  mustWarn,
  nextProbe,
} from './webhook-health.js'
import { type HealthColumns, healthOf } from './webhook-rows.js'

export interface WatchHealthDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** To be called after a commit, with the names of its events. */
  readonly wakeDispatch: (events: readonly string[]) => void
  /** To be called after a commit that has queued mails. */
  readonly wakeMails: () => void
}

/** Maximum number of receivers that a process remembers, those with the latest attempts. */
const MAX_SERVED = 10_000

/** Stores the consequences of a batch in the transaction that acknowledges it. */
export function createWatchHealth({ clock, storage, wakeDispatch, wakeMails }: WatchHealthDeps) {
  const health = storage.table('webhook_health')
  const webhooks = storage.table('webhooks')
  /** Receivers that have taken a delivery of this process, and have not failed too often since. */
  const served = new Map<string, Served>()

  return async (db: Knex, attempts: readonly Attempt[]): Promise<Consequences> => {
    const { mailed, states, warned } = await updateHealth(db, attempts)
    const failures = new Map(attempts.filter(isFailed).map((attempt) => [Number(attempt.delivery.target), attempt]))
    const disabled = new Set<number>()
    const notices: Notice[] = []
    for (const [webhookId, attempt] of failures) {
      const state = states.get(webhookId)
      const { at, outcome } = attempt
      if (state && mustDisable(state, at) && (await disable(db, webhookId, outcome.reason, at))) disabled.add(webhookId)
      if (mailed.has(webhookId)) notices.push({ webhookId, mail: 'webhook_exception', attempt })
      if (disabled.has(webhookId)) notices.push({ webhookId, mail: 'webhook_disabled', attempt })
      else if (warned.has(webhookId)) notices.push({ webhookId, mail: 'webhook_warning', attempt })
    }
    await addFailureMails({ storage, clock }, db, notices)
    const limits = [...states].map(([id, state]) => [String(id), disabled.has(id) ? null : concurrencyFor(state)] as const)
    const servedAfter = afterAttempts(served, attempts)
    return {
      paused: pausesAfter(attempts, states, servedAfter),
      limits: new Map(limits),
      committed() {
        for (const [lane, one] of servedAfter) {
          served.delete(lane)
          if (one.failures < FAILURES_TO_PROBE) served.set(lane, one)
        }
        for (const lane of served.keys()) {
          if (served.size <= MAX_SERVED) break
          served.delete(lane)
        }
        if (disabled.size > 0) wakeDispatch([WEBHOOK_DISABLED])
        if (notices.length > 0) wakeMails()
      },
    }
  }

  /** Only the process that delivers to it changes the health of a webhook, apart from the reset on enabling; hence the lock. */
  async function updateHealth(db: Knex, attempts: readonly Attempt[]): Promise<Updated> {
    const ids = [...new Set(attempts.map(({ delivery }) => Number(delivery.target)))]
    const states = new Map<number, Health>()
    const [mailed, warned] = [new Set<number>(), new Set<number>()]
    const mailedBefore = timestampOf(new Date(clock.now().getTime() - BETWEEN_MAILS))
    let rows = await lockHealth(db, ids)
    if (rows.length < ids.length) {
      const known = new Set(rows.map((row) => Number(row.webhook_id)))
      const unknown = ids.filter((id) => !known.has(id)).map((webhook_id) => ({ webhook_id }))
      await db(health).insert(unknown).onConflict('webhook_id').ignore()
      rows = await lockHealth(db, ids)
    }
    for (const row of rows) {
      const own = attempts.filter(({ delivery }) => Number(delivery.target) === Number(row.webhook_id))
      const before = healthOf(row)
      const after = own.reduce((state, { outcome, at }) => afterAttempt(state, outcome.ok, at), before)
      states.set(Number(row.webhook_id), after)
      if (mustWarn(before, after)) warned.add(Number(row.webhook_id))
      const isMailed = own.some(isFailed) && (row.last_mail_at === null || row.last_mail_at <= mailedBefore)
      if (isMailed) mailed.add(Number(row.webhook_id))
      const isSame = after.failures === before.failures && after.failingSince?.getTime() === before.failingSince?.getTime()
      if (isSame && !isMailed) continue
      const failingSince = after.failingSince && timestampOf(after.failingSince)
      await db(health)
        .where({ webhook_id: row.webhook_id })
        .update({
          failures: after.failures,
          failing_since: failingSince,
          ...(isMailed && { last_mail_at: timestampOf(clock.now()) }),
        })
    }
    return { mailed, states, warned }
  }

  function lockHealth(db: Knex, ids: readonly number[]): Promise<readonly HealthRow[]> {
    return db(health)
      .whereIn('webhook_id', [...ids])
      .orderBy('webhook_id')
      .forUpdate()
      .select('webhook_id', 'failures', 'failing_since', 'last_mail_at')
  }

  /** Disables a webhook. Returns false if it is deleted or disabled already. */
  async function disable(db: Knex, id: number, reason: string, at: Date): Promise<boolean> {
    const found = await db(webhooks).where({ id }).forUpdate().first('account_id', 'disabled')
    const isEnabled = found !== undefined && !found.disabled
    if (isEnabled) {
      const changes = { disabled: true, last_error: reason, updated_at: timestampOf(at).slice(0, 19) }
      await db(webhooks).where({ id }).update(changes)
      const webhook = { id, accountId: String(found.account_id) }
      const auditLineId = await addDisabledLine(storage, db, { ...webhook, was: found.disabled }, at)
      await addToOutbox(db, storage, [disabledEvent({ ...webhook, auditLineId }, at)])
    }
    await resetHealth(storage, db, id)
    return isEnabled
  }
}

/** Resets the failures of a webhook (behaviour: Webhook management). */
export async function resetHealth(storage: Storage, db: Knex, id: number): Promise<void> {
  await db(storage.table('webhook_health')).where({ webhook_id: id }).update({ failures: 0, failing_since: null })
}

/** Returns what is known of the receivers of attempts afterwards, if they have taken a delivery. */
function afterAttempts(before: ReadonlyMap<string, Served>, attempts: readonly Attempt[]): ReadonlyMap<string, Served> {
  const after = new Map<string, Served>()
  for (const { at, delivery, outcome } of attempts) {
    const one = after.get(delivery.lane) ?? before.get(delivery.lane)
    if (outcome.ok) after.set(delivery.lane, { at, failures: 0 })
    else if (one) after.set(delivery.lane, { ...one, failures: one.failures + 1 })
  }
  return after
}

/**
 * Returns the pauses that follow from attempts: of receivers that ask for one, and of those whose webhooks all fail. A receiver
 * that refuses one webhook, and still takes the deliveries of another one, is not paused, because these would wait as well.
 *
 * @param states health of each webhook after the attempts
 * @param served receivers that have taken a delivery, after the attempts
 */
export function pausesAfter(
  attempts: readonly Attempt[],
  states: ReadonlyMap<number, Health>,
  served: ReadonlyMap<string, Served>,
): Pauses {
  const probes = new Map<string, Date | null>()
  const asked = new Map<string, Date>()
  for (const { at, delivery, outcome } of attempts) {
    const { lane, target } = delivery
    const health = states.get(Number(target))
    const probe = health && !isServed(served.get(lane), health) ? nextProbe(health, at) : null
    const before = probes.get(lane)
    probes.set(lane, before === null || probe === null ? null : later(before, probe))
    if (!outcome.ok && outcome.retryAt) asked.set(lane, later(asked.get(lane), outcome.retryAt))
  }
  const found = new Map(asked)
  for (const [lane, probe] of probes) if (probe) found.set(lane, later(found.get(lane), probe))
  return found
}

/** True if a receiver takes deliveries of others since a webhook has been failing. */
function isServed(served: Served | undefined, { failingSince }: Health): boolean {
  return served !== undefined && served.failures < FAILURES_TO_PROBE && failingSince !== null && served.at >= failingSince
}

function isFailed(attempt: Attempt): attempt is Attempt<Failure> {
  return !attempt.outcome.ok
}

/** A receiver that has taken a delivery. */
interface Served {
  /** Time of the last one. */
  readonly at: Date
  /** Failures in a row since then, of all of its webhooks. */
  readonly failures: number
}

interface HealthRow extends HealthColumns {
  readonly webhook_id: number | string
  readonly last_mail_at: string | null
}

/** What attempts have changed: the health of their webhooks, and whose readers are warned. */
interface Updated {
  readonly states: ReadonlyMap<number, Health>
  readonly warned: ReadonlySet<number>
  /** Webhooks of which a mail about a single failure is due. */
  readonly mailed: ReadonlySet<number>
}
