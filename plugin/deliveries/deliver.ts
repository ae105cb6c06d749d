/**
 * Sends the due deliveries of a channel. Each lane has a lease; its deliveries are read in pages, sent with bounded concurrency, and
 * acknowledged in batches while the next ones are in flight. If a process dies, rows that were sent but not acknowledged remain;
 * the process that takes over their lane sends them again (spec, Events, Delivery; behaviour: Delivery).
 */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { DeliveryFacts, Tell } from '../core/observe.js'
import { type Backoff, persistently } from '../core/waiting/backoff.js'
import { createBell } from '../core/waiting/bell.js'
import type { Traffic } from '../core/waiting/traffic.js'
import { reasonOf } from './attempt-rows.js'
import type { Channel, Target } from './channel.js'
import type { Attempt, Delivery, Outcome } from './delivery.js'
import { createLanes } from './lanes.js'
import { LOOK_EVERY, nextLook } from './next-look.js'
import { createOpenLanes, type Fault } from './open-lanes.js'
import type { Queue } from './queue.js'

export interface DeliverDeps {
  readonly clock: Clock
  readonly log: Log
  readonly channel: Channel
  readonly queue: Queue
  /** Requests, to which deliveries give way. */
  readonly traffic?: Pick<Traffic, 'isHeavy'> | undefined
  /** Milliseconds that a lease lasts without being prolonged. */
  readonly lastsMs: number
  /** Tells the host of each attempt. */
  readonly tell?: Tell<DeliveryFacts> | undefined
}

export interface Delivered {
  /** Number of attempts that succeeded. */
  readonly delivered: number
  /** Number of attempts that failed. */
  readonly failed: number
  /** Time of the next due delivery, as far as it is known; null if nothing is queued. */
  readonly next: Date | null
}

/** Attempts, or milliseconds, after which a batch is acknowledged, whichever comes first. */
const ACKNOWLEDGE_AFTER = 200
const ACKNOWLEDGE_WITHIN = 20
/** Maximum number of attempts in flight while requests wait for the processor. */
const GIVING_WAY = 4
/** Maximum number of attempts that are repeated after a crash. */
const MAX_UNACKNOWLEDGED = 1000
/**
 * Deliveries that were sent but not acknowledged would be sent twice: after a short failure of the database it is tried again.
 */
const ACKNOWLEDGE_AGAIN: Backoff & { repeats: number } = { firstMs: 100, factor: 5, repeats: 3 }

/**
 * Creates a function that delivers until nothing is due. If it is called while it runs, it searches again and returns the
 * running promise. After `signal` it starts no attempt; it resolves when those in flight have ended and are acknowledged. It
 * rejects if the database fails; then nothing is lost, but some attempts will be repeated.
 */
export function createDeliverer(deps: DeliverDeps): (signal?: AbortSignal) => Promise<Delivered> {
  const { channel, clock, log, queue, lastsMs, tell, traffic } = deps
  const lanes = createLanes<Delivery>(channel.atOnce, channel.atOncePerLane)
  const bell = createBell()
  let running: Promise<Delivered> | null = null
  let aborted: AbortSignal | undefined
  let total = { delivered: 0, failed: 0 }
  /** Finished attempts that are not acknowledged, without the batch that is being written. */
  let attempts: Attempt[] = []
  let beingAcknowledged = 0
  let acknowledgeTimer: NodeJS.Timeout | undefined
  /** True to search for lanes with due deliveries. */
  let look = false
  /** True to prolong the leases, which are ours until `keptUntil`. */
  let [renewal, keptUntil] = [false, 0]
  let fault: Fault | null = null
  /** Lanes for which a process of the version before still has rows. */
  let isHeldBack: (lane: string) => boolean = () => false
  const search = () => {
    look = true
  }
  const advance = (failed?: Fault) => {
    fault ??= failed ?? null
    send()
    bell.ring()
  }
  const open = createOpenLanes({ channel, clock, queue, lanes, search, advance })

  return (signal) => {
    search()
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
        next = await nextLook({ channel, clock, queue, isHeldBack })
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
      search()
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
        if (open.idle().size > 0) search()
      }
    } catch (error) {
      fault = { error }
    }
    while (lanes.inFlight() > 0) await bell.heard()
    clearInterval(renewTimer)
    clearInterval(lookTimer)
    clearTimeout(acknowledgeTimer)
    await open.close(open.names()).catch((error) => log.warn({ err: error }, 'Leases of deliveries could not be given back'))
    attempts = []
    open.forget()
    if (fault) throw fault.error
  }

  function isStopping(): boolean {
    return fault !== null || aborted?.aborted === true
  }

  function isFinished(): boolean {
    const quiet = lanes.inFlight() === 0 && attempts.length === 0 && !open.isBusy()
    return quiet && (isStopping() || (open.isEmpty() && !look))
  }

  /** Takes lanes that have become due, continues with those that are due again, and releases the others. */
  async function openDue(): Promise<void> {
    look = false
    const [served, idle] = [open.names(), open.idle()]
    isHeldBack = await queue.carryOver(new Set(served), new Set(served.filter((lane) => !idle.has(lane))))
    const now = clock.now()
    const due = (await queue.queued())
      .filter(({ dueAt, isServedElsewhere }) => dueAt <= now && !isServedElsewhere)
      .map(({ lane }) => lane)
      .filter((lane) => channel.lanes?.has(lane) !== false && !isHeldBack(lane))
    if (served.length === 0) keptUntil = now.getTime() + lastsMs
    // One that was taken from us and is free again waits for what we sent in it: its deliveries are still queued.
    const mine = await queue.take(due.filter((lane) => !open.isOurs(lane)))
    // What is left in a lane of ours is read again, without the limit of a pause.
    for (const lane of due) if (idle.delete(lane) || mine.has(lane)) open.open(lane)
    await open.close([...idle])
  }

  /** Keeps the leases, and reads what has happened to the targets since. */
  async function renew(): Promise<void> {
    renewal = false
    const names = open.names()
    const kept = clock.now().getTime() + lastsMs
    const mine = await queue.prolong(names)
    keptUntil = kept
    await open.close(names.filter((name) => !mine.has(name)))
    await open.refresh()
  }

  function send(): void {
    while (!isStopping() && attempts.length + beingAcknowledged < MAX_UNACKNOWLEDGED) {
      if (lanes.inFlight() >= GIVING_WAY && traffic?.isHeavy()) return
      // This process was paused: another one may have taken over.
      if (clock.now().getTime() >= keptUntil && !open.isEmpty()) {
        renewal = true
        bell.ring()
        return
      }
      const delivery = lanes.take()
      if (!delivery) return
      const target = open.begin(delivery)
      if (target) void attempt(target, delivery)
      else lanes.done(delivery)
    }
  }

  async function attempt(target: Target, delivery: Delivery): Promise<void> {
    const begun = performance.now()
    const outcome = await target
      .send(delivery)
      .catch((error: unknown): Outcome => ({ ok: false, reason: reasonOf(error), error }))
    if ('postponedUntil' in outcome) {
      const postponed = open.postpone(delivery.lane, outcome.postponedUntil)
      lanes.done(delivery)
      return postponed
    }
    open.ended(delivery.lane, outcome)
    lanes.done(delivery)
    const milliseconds = performance.now() - begun
    attempts.push({ delivery, outcome, at: clock.now(), milliseconds })
    tell?.(factsOf(channel.name, delivery, outcome, milliseconds))
    send()
    if (attempts.length >= ACKNOWLEDGE_AFTER || lanes.inFlight() === 0) bell.ring()
    else acknowledgeTimer ??= setTimeout(bell.ring, ACKNOWLEDGE_WITHIN)
  }

  /** Acknowledges the finished attempts. */
  async function acknowledge(): Promise<void> {
    clearTimeout(acknowledgeTimer)
    acknowledgeTimer = undefined
    if (attempts.length === 0) return
    const batch = attempts
    attempts = []
    beingAcknowledged = batch.length
    try {
      const { committed, limits, paused } = await persistently(() => queue.acknowledge(batch), ACKNOWLEDGE_AGAIN)
      const failed = batch.filter(({ outcome }) => !outcome.ok)
      total.delivered += batch.length - failed.length
      total.failed += failed.length
      if (batch.some(({ outcome }) => outcome.ok && outcome.becomes)) search()
      for (const one of failed) channel.failed(one, channel.nextTry(one))
      committed?.()
      const names = batch.map(({ delivery }) => delivery.lane)
      open.follow(names, paused.keys(), limits)
    } finally {
      beingAcknowledged = 0
    }
  }
}

function factsOf(channel: string, delivery: Delivery, outcome: Outcome, ms: number): DeliveryFacts {
  const { accountId, attempts, event, id } = delivery
  return { channel, event, accountId, id, attempt: attempts + 1, failed: !outcome.ok, status: outcome.status ?? null, ms }
}
