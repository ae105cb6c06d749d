/**
 * Sends what is due. Work is claimed a webhook at a time, read in pages, sent with bounded concurrency, and acknowledged in
 * batches while the next requests are under way. A process that dies leaves rows that were sent but not acknowledged; whoever
 * claims their webhook next sends them again. Specification: Events, Delivery; gaps 5.3.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Complaints } from './complain.js'
import { concurrencyFor } from './health.js'
import { createLanes } from './lanes.js'
import type { Attempt, Delivery, Queue, WebhookRow } from './queue.js'
import type { Requester } from './safe-request.js'

export interface DeliverParts {
  readonly clock: Clock
  readonly log: Log
  readonly queue: Queue
  readonly requester: Requester
  readonly complaints: Complaints
  /** Milliseconds that a claim holds without being renewed. */
  readonly claimFor: number
}

export interface Delivered {
  /** Requests that succeeded. */
  readonly delivered: number
  /** Requests that failed. */
  readonly failed: number
  /** When there will be work again, as far as is known; null when nothing is queued. */
  readonly next: Date | null
}

/** Content type of every delivery (spec, Events, Delivery 1). */
export const FORM = 'application/x-www-form-urlencoded; charset=utf-8'

const AT_ONCE = 64
const AT_ONCE_A_WEBHOOK = 16
/** Acknowledged after so many requests or milliseconds, whichever comes first. */
const SETTLE_AFTER = 200
const SETTLE_WITHIN = 20
/**
 * Milliseconds between looks for webhooks that have become due while others are being served: a slow receiver may take hours,
 * and another process may have queued something for a webhook that we have claimed.
 */
const LOOK_EVERY = 1000
/** So many requests at most are repeated after a crash. */
const MOST_UNSETTLED = 1000
/** Pauses before an acknowledgement is tried again, in milliseconds. */
const SETTLE_PAUSES = [100, 500, 2000]
/** Deliveries in memory, of all webhooks, and read at once of one. */
const IN_MEMORY = 30_000
const [SMALLEST_PAGE, LARGEST_PAGE] = [20, 300]

/** A webhook that this process delivers for. */
interface OpenWebhook {
  webhook: WebhookRow
  atOnce: number
  /** The last delivery that was read; null to start from the beginning of the queue. */
  last: Delivery | null
  reading: boolean
  /** There was nothing more when it was last read. */
  drained: boolean
  /** Requests that are under way or not acknowledged. */
  unsettled: number
}

/**
 * A function that delivers until nothing is due. Calling it while it runs makes it look once more and answers the running
 * promise. After `signal` no request is started; it resolves when those under way have ended and are acknowledged.
 * It rejects when the database fails; then nothing is lost, but some requests will be repeated.
 */
export function createDeliverer(parts: DeliverParts): (signal?: AbortSignal) => Promise<Delivered> {
  const { clock, log, queue, requester, complaints, claimFor } = parts
  const open = new Map<number, OpenWebhook>()
  const lanes = createLanes<Delivery>(AT_ONCE, AT_ONCE_A_WEBHOOK)
  const bell = createBell()
  let running: Promise<Delivered> | null = null
  let aborted: AbortSignal | undefined
  let total = { delivered: 0, failed: 0 }
  /** Finished requests that are not acknowledged, without those that are just being written. */
  let attempts: Attempt[] = []
  let beingSettled = 0
  let settleTimer: NodeJS.Timeout | undefined
  /** Look for webhooks with due deliveries. */
  let look = false
  /** Renew the claims. */
  let renewal = false
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
    }, claimFor / 3)
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
        await settle()
        if ([...open].some(isIdle)) look = true
      }
    } catch (error) {
      fault = { error }
    }
    while (lanes.inFlight() > 0) await bell.heard()
    clearInterval(renewTimer)
    clearInterval(lookTimer)
    clearTimeout(settleTimer)
    await close([...open.keys()]).catch((error) => log.warn({ error }, 'Claims of webhooks could not be given back'))
    attempts = []
    if (fault) throw fault.error
  }

  function isStopping(): boolean {
    return fault !== null || aborted?.aborted === true
  }

  function isFinished(): boolean {
    const quiet = lanes.inFlight() === 0 && attempts.length === 0 && ![...open.values()].some((target) => target.reading)
    return quiet && (isStopping() || (open.size === 0 && !look))
  }

  function isIdle([id, target]: [number, OpenWebhook]): boolean {
    return target.drained && !target.reading && target.unsettled === 0 && lanes.waiting(id) === 0
  }

  /** Claims webhooks that have become due, goes on with those that have again, and gives back the others. */
  async function openDue(): Promise<void> {
    look = false
    const now = clock.now()
    const idle = new Set([...open].filter(isIdle).map(([id]) => id))
    const due = (await queue.queued(now)).filter((queued) => queued.dueAt <= now && queued.claimedUntil === null)
    const mine = await queue.claim(
      due.filter(({ id }) => !open.has(id)).map(({ id }) => id),
      now,
    )
    const served = due.filter(({ id }) => mine.has(id) || idle.has(id))
    const webhooks = await queue.readWebhooks(served.map(({ id }) => id))
    for (const { id, health } of served) {
      const webhook = webhooks.get(id)
      if (!webhook || webhook.disabled) continue
      idle.delete(id)
      const atOnce = concurrencyFor(health)
      const target = { webhook, atOnce, last: null, reading: false, drained: false, unsettled: 0 }
      open.set(id, target)
      lanes.limit(id, atOnce)
      void read(id, target)
    }
    await close([...idle])
    await discard(served.filter(({ id }) => !open.has(id)).map(({ id }) => id))
  }

  /** Keeps the claims, and notices what happened to the webhooks meanwhile. */
  async function renew(): Promise<void> {
    renewal = false
    const ids = [...open.keys()]
    const mine = await queue.claim(ids, clock.now())
    const webhooks = await queue.readWebhooks([...mine])
    const lost = ids.filter((id) => !mine.has(id))
    for (const [id, target] of open) target.webhook = webhooks.get(id) ?? target.webhook
    await close(lost)
    await discard([...mine].filter((id) => webhooks.get(id)?.disabled ?? true))
  }

  function send(): void {
    while (!isStopping() && attempts.length + beingSettled < MOST_UNSETTLED) {
      const delivery = lanes.take()
      if (!delivery) return
      const target = open.get(delivery.webhookId)
      if (!target) {
        lanes.done(delivery)
        continue
      }
      target.unsettled += 1
      void post(target.webhook, delivery)
      if (!target.drained && !target.reading && lanes.waiting(delivery.webhookId) < pageSize(target) / 3) {
        void read(delivery.webhookId, target)
      }
    }
  }

  async function post(webhook: WebhookRow, delivery: Delivery): Promise<void> {
    const { link, body } = delivery
    const outcome = await requester.post({ uri: webhook.uri, headers: { 'content-type': FORM, link }, body })
    lanes.done(delivery)
    attempts.push({ delivery, outcome, at: clock.now() })
    send()
    if (attempts.length >= SETTLE_AFTER || lanes.inFlight() === 0) bell.ring()
    else settleTimer ??= setTimeout(bell.ring, SETTLE_WITHIN)
  }

  /** Reads the next page of a webhook's deliveries. */
  async function read(id: number, target: OpenWebhook): Promise<void> {
    target.reading = true
    try {
      const size = pageSize(target)
      const page = await queue.read(id, clock.now(), target.last, size)
      target.last = page.at(-1) ?? target.last
      target.drained = page.length < size
      if (open.get(id) === target) lanes.add(id, page)
    } catch (error) {
      fault ??= { error }
    }
    target.reading = false
    send()
    bell.ring()
  }

  function pageSize(target: OpenWebhook): number {
    if (target.atOnce < AT_ONCE_A_WEBHOOK) return SMALLEST_PAGE
    return Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, Math.floor(IN_MEMORY / open.size)))
  }

  /** Acknowledges the finished requests. */
  async function settle(): Promise<void> {
    clearTimeout(settleTimer)
    settleTimer = undefined
    if (attempts.length === 0) return
    const batch = attempts
    attempts = []
    beingSettled = batch.length
    try {
      const { health, disabled, dropped } = await persistently(() => queue.settle(batch))
      const failed = batch.filter(({ outcome }) => !outcome.ok)
      total.delivered += batch.length - failed.length
      total.failed += failed.length
      if (dropped > 0) log.warn({ dropped }, 'Messages to webhooks were dropped after their last attempt')
      complain(failed, disabled)
      for (const [id, state] of health) setLimit(id, concurrencyFor(state))
      for (const { delivery } of batch) {
        const target = open.get(delivery.webhookId)
        if (target) target.unsettled -= 1
      }
      await close([...disabled.keys()])
    } finally {
      beingSettled = 0
    }
  }

  function complain(failed: readonly Attempt[], disabled: ReadonlyMap<number, string>): void {
    const reasons = new Map(failed.map(({ delivery, outcome }) => [delivery.webhookId, outcome.ok ? '' : outcome.reason]))
    for (const [id, reason] of reasons) {
      const webhook = open.get(id)?.webhook
      if (webhook) complaints.failed(webhook, reason)
      if (webhook && disabled.has(id)) complaints.disabled(webhook, reason)
    }
  }

  function setLimit(id: number, atOnce: number): void {
    const target = open.get(id)
    if (!target || target.atOnce === atOnce) return
    target.atOnce = atOnce
    lanes.limit(id, atOnce)
  }

  /** Stops serving webhooks and gives their claims back. */
  async function close(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      open.delete(id)
      lanes.close(id)
    }
    await queue.release(ids)
  }

  /** Drops what is queued for webhooks that are disabled or gone. */
  async function discard(ids: readonly number[]): Promise<void> {
    const dropped = await queue.drop(ids)
    if (dropped > 0) log.info({ dropped, webhooks: ids }, 'Messages to webhooks that are disabled or gone were dropped')
    await close(ids)
  }

  async function nextDue(): Promise<Date | null> {
    const now = clock.now()
    const times = (await queue.queued(now)).map(({ dueAt, claimedUntil }) =>
      claimedUntil && claimedUntil > dueAt ? claimedUntil : dueAt,
    )
    return times.length > 0 ? new Date(Math.min(...times.map(Number))) : null
  }
}

/** Tries again when the database is away for a moment: what was sent and is not written down is sent twice. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of SETTLE_PAUSES) {
    try {
      return await work()
    } catch {
      await sleep(pause)
    }
  }
  return work()
}

interface Bell {
  ring(): void
  /** Resolves when the bell rings, at once when it has rung since it was last heard. */
  heard(): Promise<void>
}

function createBell(): Bell {
  let rung = false
  let tell = () => {}
  return {
    ring() {
      rung = true
      tell()
    },
    async heard() {
      if (!rung) {
        await new Promise<void>((resolve) => {
          tell = resolve
        })
      }
      rung = false
    },
  }
}
