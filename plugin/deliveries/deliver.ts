/**
 * Sends due deliveries. Each receiver has a lease; its deliveries are read in pages, sent with bounded concurrency, and
 * acknowledged in batches while the next requests are in flight. If a process dies, rows that were sent but not acknowledged
 * remain; the process that takes over their receiver sends them again (spec, Events, Delivery; behaviour: Webhook delivery).
 */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { type Backoff, persistently } from '../core/waiting/backoff.js'
import { createBell } from '../core/waiting/bell.js'
import type { Attempt, Delivery } from './attempt.js'
import type { FailureMails } from './failure-mails.js'
import { concurrencyFor, FAILURES_TO_PROBE, type Health } from './health.js'
import { createLanes } from './lanes.js'
import type { Queue, WebhookRow } from './queue.js'
import { receiverKey } from './receiver-key.js'
import type { Outcome } from './safe-request.js'
import type { Send } from './sign.js'

export interface DeliverDeps {
  readonly clock: Clock
  readonly log: Log
  readonly queue: Queue
  readonly send: Send
  readonly failureMails: FailureMails
  /** Milliseconds that a lease lasts without being prolonged. */
  readonly lastsMs: number
}

export interface Delivered {
  /** Number of requests that succeeded. */
  readonly delivered: number
  /** Number of requests that failed. */
  readonly failed: number
  /** Time of the next due delivery, as far as it is known; null if nothing is queued. */
  readonly next: Date | null
}

const AT_ONCE = 64
const AT_ONCE_PER_RECEIVER = 16
/** Requests, or milliseconds, after which a batch is acknowledged, whichever comes first. */
const ACKNOWLEDGE_AFTER = 200
const ACKNOWLEDGE_WITHIN = 20
/**
 * Milliseconds between searches for receivers that have become due while others are being served. A slow receiver may take
 * hours, and another process may have queued deliveries for a receiver that this one serves.
 */
const LOOK_EVERY = 1000
/** Maximum number of requests that are repeated after a crash. */
const MAX_UNACKNOWLEDGED = 1000
/**
 * Deliveries that were sent but not acknowledged would be sent twice: after a short failure of the database it is tried again.
 */
const ACKNOWLEDGE_AGAIN: Backoff & { repeats: number } = { firstMs: 100, factor: 5, repeats: 3 }
/** Maximum number of deliveries in memory, and limits of a page of one receiver. */
const IN_MEMORY = 30_000
const [SMALLEST_PAGE, MAX_PAGE] = [20, 300]

/** A receiver that this process delivers to. */
interface OpenReceiver {
  /** Webhooks of the deliveries that have been read; null for a webhook that is disabled, deleted, or has another URL now. */
  readonly webhooks: Map<number, WebhookRow | null>
  atOnce: number
  /** The last delivery that was read; null to start at the beginning of the queue. */
  last: Delivery | null
  reading: boolean
  /** True if the last page was the end of its queue. */
  drained: boolean
  /** Failures in a row since it was opened. */
  failures: number
  /** True if nothing more is sent to it, because it fails or asks for a pause; what was sent is waited for. */
  halted: boolean
}

/**
 * Creates a function that delivers until nothing is due. If it is called while it runs, it searches again and returns the
 * running promise. After `signal` it starts no request; it resolves when the requests in flight have ended and are
 * acknowledged. It rejects if the database fails; then nothing is lost, but some requests will be repeated.
 */
export function createDeliverer(deps: DeliverDeps): (signal?: AbortSignal) => Promise<Delivered> {
  const { clock, log, queue, failureMails, lastsMs } = deps
  const open = new Map<string, OpenReceiver>()
  /** Number of requests in flight or not acknowledged, by receiver; also of receivers whose lease has been lost since. */
  const unacknowledged = new Map<string, number>()
  const lanes = createLanes<Delivery>(AT_ONCE, AT_ONCE_PER_RECEIVER)
  const bell = createBell()
  let running: Promise<Delivered> | null = null
  let aborted: AbortSignal | undefined
  let total = { delivered: 0, failed: 0 }
  /** Finished requests that are not acknowledged, without the batch that is being written. */
  let attempts: Attempt[] = []
  let beingAcknowledged = 0
  let acknowledgeTimer: NodeJS.Timeout | undefined
  /** True to search for receivers with due deliveries. */
  let look = false
  /** True to prolong the leases, which are ours until `keptUntil`. */
  let [renewal, keptUntil] = [false, 0]
  let fault: { readonly error: unknown } | null = null

  return (signal) => {
    look = true
    bell.ring()
    running ??= run(signal)
    return running
  }

  async function run(signal?: AbortSignal): Promise<Delivered> {
    aborted = signal
    total = { delivered: 0, failed: 0 }
    signal?.addEventListener('abort', bell.ring)
    try {
      let next: Date | null
      do {
        await deliver()
        next = await nextDue()
      } while (look && !isStopping())
      return { ...total, next }
    } finally {
      signal?.removeEventListener('abort', bell.ring)
      running = null
    }
  }

  async function deliver(): Promise<void> {
    const renewTimer = setInterval(() => {
      renewal = true
      bell.ring()
    }, lastsMs / 3)
    const lookTimer = setInterval(() => {
      look = true
      bell.ring()
    }, LOOK_EVERY)
    fault = null
    try {
      for (;;) {
        if (look && !isStopping()) await openDue()
        if (renewal) await renew()
        send()
        if (isFinished()) break
        await bell.heard()
        await acknowledge()
        if ([...open].some(isIdle)) look = true
      }
    } catch (error) {
      fault = { error }
    }
    while (lanes.inFlight() > 0) await bell.heard()
    clearInterval(renewTimer)
    clearInterval(lookTimer)
    clearTimeout(acknowledgeTimer)
    await close([...open.keys()]).catch((error) => log.warn({ err: error }, 'Leases of receivers could not be given back'))
    attempts = []
    unacknowledged.clear()
    if (fault) throw fault.error
  }

  function isStopping(): boolean {
    return fault !== null || aborted?.aborted === true
  }

  function isFinished(): boolean {
    const quiet = lanes.inFlight() === 0 && attempts.length === 0 && ![...open.values()].some((target) => target.reading)
    return quiet && (isStopping() || (open.size === 0 && !look))
  }

  function isIdle([receiver, target]: [string, OpenReceiver]): boolean {
    const isEmpty = target.halted || (target.drained && lanes.waiting(receiver) === 0)
    return isEmpty && !target.reading && !unacknowledged.has(receiver)
  }

  /** Takes receivers that have become due, continues with those that are due again, and releases the others. */
  async function openDue(): Promise<void> {
    look = false
    const now = clock.now()
    const idle = new Set([...open].filter(isIdle).map(([receiver]) => receiver))
    const due = (await queue.queued())
      .filter(({ dueAt, isServedElsewhere }) => dueAt <= now && !isServedElsewhere)
      .map(({ receiver }) => receiver)
    // One that was taken from us and is free again waits for what we sent to it: its deliveries are still queued.
    const others = due.filter((receiver) => !open.has(receiver) && !unacknowledged.has(receiver))
    if (open.size === 0) keptUntil = now.getTime() + lastsMs
    const mine = await queue.take(others)
    for (const receiver of due.filter((one) => mine.has(one) || idle.has(one))) {
      // What is left in its lane is read again, without the limit of a pause.
      if (idle.delete(receiver)) lanes.close(receiver)
      const begin = { atOnce: AT_ONCE_PER_RECEIVER, last: null, reading: false, drained: false, failures: 0, halted: false }
      const target: OpenReceiver = { webhooks: new Map(), ...begin }
      open.set(receiver, target)
      void read(receiver, target)
    }
    await close([...idle])
  }

  /** Keeps the leases, and reads what has happened to the webhooks since. */
  async function renew(): Promise<void> {
    renewal = false
    const receivers = [...open.keys()]
    const kept = clock.now().getTime() + lastsMs
    const mine = await queue.prolong(receivers)
    keptUntil = kept
    await close(receivers.filter((receiver) => !mine.has(receiver)))
    await meet([...open].map(([receiver, target]) => [receiver, target, [...target.webhooks.keys()]]))
  }

  /** Reads webhooks, drops deliveries of disabled or deleted ones, and moves deliveries of webhooks with another URL. */
  async function meet(
    those: readonly (readonly [receiver: string, target: OpenReceiver, ids: readonly number[]])[],
  ): Promise<void> {
    const all = those.flatMap(([, , ids]) => ids)
    if (all.length === 0) return
    const found = await queue.readWebhooks(all)
    const barred = all.filter((id) => found.get(id)?.disabled ?? true)
    for (const [receiver, target, ids] of those) {
      for (const id of ids) {
        const webhook = barred.includes(id) ? undefined : found.get(id)
        const leadsTo = webhook ? receiverKey(webhook.accountId, webhook.uri) : receiver
        target.webhooks.set(id, leadsTo === receiver ? (webhook ?? null) : null)
        if (leadsTo !== receiver) await move(id, leadsTo)
      }
      setLimit(receiver, target)
    }
    const dropped = await queue.drop(barred)
    if (dropped > 0) log.info({ dropped, webhooks: barred }, 'Deliveries of disabled or deleted webhooks were dropped')
  }

  /**
   * Moves deliveries: the URL of the webhook has changed, or a process of an older version has queued them without a receiver.
   */
  async function move(webhookId: number, receiver: string): Promise<void> {
    await queue.move(webhookId, receiver)
    look = true
  }

  function send(): void {
    while (!isStopping() && attempts.length + beingAcknowledged < MAX_UNACKNOWLEDGED) {
      // This process was paused: another one may have taken over.
      if (clock.now().getTime() >= keptUntil && open.size > 0) {
        renewal = true
        bell.ring()
        return
      }
      const delivery = lanes.take()
      if (!delivery) return
      const { receiver } = delivery
      const target = open.get(receiver)
      const webhook = target?.webhooks.get(delivery.webhookId)
      if (target && webhook) {
        unacknowledged.set(receiver, (unacknowledged.get(receiver) ?? 0) + 1)
        void post(webhook, delivery)
      } else {
        lanes.done(delivery)
      }
      if (target && !target.drained && !target.reading && !target.halted && lanes.waiting(receiver) < pageSize(target) / 3) {
        void read(receiver, target)
      }
    }
  }

  async function post(webhook: WebhookRow, delivery: Delivery): Promise<void> {
    const { id, link, body } = delivery
    const outcome = await deps.send(webhook, { id: `msg_${id}`, link, body })
    haltAfter(outcome, delivery.receiver)
    lanes.done(delivery)
    attempts.push({ delivery, outcome, at: clock.now() })
    send()
    if (attempts.length >= ACKNOWLEDGE_AFTER || lanes.inFlight() === 0) bell.ring()
    else acknowledgeTimer ??= setTimeout(bell.ring, ACKNOWLEDGE_WITHIN)
  }

  /** Reads the next page of a receiver's deliveries. */
  async function read(receiver: string, target: OpenReceiver): Promise<void> {
    target.reading = true
    try {
      const size = pageSize(target)
      const page = await queue.read(receiver, clock.now(), target.last, size)
      const unknown = new Set(page.map(({ webhookId }) => webhookId).filter((id) => !target.webhooks.has(id)))
      await meet([[receiver, target, [...unknown]]])
      target.last = page.at(-1) ?? target.last
      target.drained = page.length < size
      if (open.get(receiver) === target) lanes.add(receiver, page)
    } catch (error) {
      fault ??= { error }
    }
    target.reading = false
    send()
    bell.ring()
  }

  function pageSize(target: OpenReceiver): number {
    if (target.atOnce < AT_ONCE_PER_RECEIVER) return SMALLEST_PAGE
    return Math.max(SMALLEST_PAGE, Math.min(MAX_PAGE, Math.floor(IN_MEMORY / open.size)))
  }

  /** Acknowledges the finished requests. */
  async function acknowledge(): Promise<void> {
    clearTimeout(acknowledgeTimer)
    acknowledgeTimer = undefined
    if (attempts.length === 0) return
    const batch = attempts
    attempts = []
    beingAcknowledged = batch.length
    try {
      const { health, disabled, warned, paused, dropped } = await persistently(
        () => queue.acknowledge(batch),
        ACKNOWLEDGE_AGAIN,
      )
      const failed = batch.filter(({ outcome }) => !outcome.ok)
      total.delivered += batch.length - failed.length
      total.failed += failed.length
      if (dropped > 0) log.warn({ dropped }, 'Deliveries were dropped after their last attempt')
      notify(failed, disabled, warned)
      for (const receiver of paused.keys()) halt(receiver)
      for (const { delivery } of batch) acknowledged(delivery.receiver)
      for (const receiver of new Set(batch.map(({ delivery }) => delivery.receiver))) learn(receiver, health, disabled)
    } finally {
      beingAcknowledged = 0
    }
  }

  function acknowledged(receiver: string): void {
    const left = (unacknowledged.get(receiver) ?? 0) - 1
    if (left > 0) unacknowledged.set(receiver, left)
    else unacknowledged.delete(receiver)
    if (left <= 0 && !open.has(receiver)) look = true
  }

  function notify(failed: readonly Attempt[], disabled: ReadonlyMap<number, string>, warned: ReadonlySet<number>): void {
    const last = new Map(failed.map((attempt) => [attempt.delivery.webhookId, attempt]))
    for (const [id, { delivery, outcome }] of last) {
      const webhook = open.get(delivery.receiver)?.webhooks.get(id)
      if (!webhook || outcome.ok) continue
      const call = { ...delivery, ...outcome, attempt: delivery.attempts + 1 }
      failureMails.failed(webhook, call)
      if (disabled.has(id)) failureMails.disabled(webhook, call)
      else if (warned.has(id)) failureMails.warned(webhook, call)
    }
  }

  /** Stores the health of the webhooks of a receiver. Webhooks that were disabled get nothing more. */
  function learn(receiver: string, health: ReadonlyMap<number, Health>, disabled: ReadonlyMap<number, string>): void {
    const target = open.get(receiver)
    if (!target) return
    for (const [id, webhook] of target.webhooks) {
      const state = health.get(id)
      if (webhook && state) target.webhooks.set(id, disabled.has(id) ? null : { ...webhook, health: state })
    }
    setLimit(receiver, target)
  }

  /** Sends no more to a receiver that asks for a pause, fails again and again, or whose probe has failed. */
  function haltAfter(outcome: Outcome, receiver: string): void {
    const target = open.get(receiver)
    if (!target) return
    target.failures = outcome.ok ? 0 : target.failures + 1
    const isProbed = target.atOnce < AT_ONCE_PER_RECEIVER || target.failures >= FAILURES_TO_PROBE
    if (!outcome.ok && (outcome.retryAt || isProbed)) halt(receiver)
  }

  function halt(receiver: string): void {
    const target = open.get(receiver)
    if (!target || target.halted) return
    target.halted = true
    lanes.limit(receiver, 0)
  }

  /** Slows a receiver down if all of its webhooks are failing. */
  function setLimit(receiver: string, target: OpenReceiver): void {
    const limits = [...target.webhooks.values()].flatMap((webhook) => (webhook ? [concurrencyFor(webhook.health)] : []))
    const atOnce = limits.length > 0 ? Math.max(...limits) : AT_ONCE_PER_RECEIVER
    if (open.get(receiver) !== target || target.halted || target.atOnce === atOnce) return
    target.atOnce = atOnce
    lanes.limit(receiver, atOnce)
  }

  /** Stops serving receivers and releases their leases. */
  async function close(receivers: readonly string[]): Promise<void> {
    for (const receiver of receivers) {
      open.delete(receiver)
      lanes.close(receiver)
    }
    await queue.release(receivers)
  }

  /**
   * Time of the next look: the next due delivery, or in a second if another process serves its receiver, because that process may
   * die or miss new rows.
   */
  async function nextDue(): Promise<Date | null> {
    const now = clock.now()
    const soon = now.getTime() + LOOK_EVERY
    const times = (await queue.queued()).map(({ dueAt, isServedElsewhere }) =>
      isServedElsewhere ? Math.max(dueAt.getTime(), soon) : dueAt.getTime(),
    )
    return times.length > 0 ? new Date(Math.min(...times)) : null
  }
}
