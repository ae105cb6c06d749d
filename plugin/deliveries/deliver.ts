/**
 * Sends the due deliveries of a channel. Each lane has a lease; its deliveries are read in pages, sent with bounded concurrency, and
 * acknowledged in batches while the next ones are in flight. If a process dies, rows that were sent but not acknowledged remain;
 * the process that takes over their lane sends them again (spec, Events, Delivery; behaviour: Webhook delivery).
 */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { type Backoff, persistently } from '../core/waiting/backoff.js'
import { createBell } from '../core/waiting/bell.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { Channel, Target } from './channel.js'
import type { Attempt, Delivery, Outcome } from './delivery.js'
import { createLanes } from './lanes.js'
import { LOOK_EVERY, nextLook } from './next-look.js'
import { isBusy, newLane, type OpenLane } from './open-lane.js'
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
/** Maximum number of deliveries in memory, and limits of a page of one lane. */
const IN_MEMORY = 30_000
const [SMALLEST_PAGE, MAX_PAGE] = [20, 300]
const MAX_REASON = 255

/**
 * Creates a function that delivers until nothing is due. If it is called while it runs, it searches again and returns the
 * running promise. After `signal` it starts no attempt; it resolves when those in flight have ended and are acknowledged. It
 * rejects if the database fails; then nothing is lost, but some attempts will be repeated.
 */
export function createDeliverer(deps: DeliverDeps): (signal?: AbortSignal) => Promise<Delivered> {
  const { channel, clock, log, queue, lastsMs, traffic } = deps
  const open = new Map<string, OpenLane>()
  /** Number of attempts in flight or not acknowledged, by lane; also of lanes whose lease has been lost since. */
  const unacknowledged = new Map<string, number>()
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
  let fault: { readonly error: unknown } | null = null
  /** Lanes for which a process of the version before still has rows. */
  let isHeldBack: (lane: string) => boolean = () => false

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
    await close([...open.keys()]).catch((error) => log.warn({ err: error }, 'Leases of deliveries could not be given back'))
    attempts = []
    unacknowledged.clear()
    if (fault) throw fault.error
  }

  function isStopping(): boolean {
    return fault !== null || aborted?.aborted === true
  }

  function isFinished(): boolean {
    const quiet = lanes.inFlight() === 0 && attempts.length === 0 && ![...open.values()].some(isBusy)
    return quiet && (isStopping() || (open.size === 0 && !look))
  }

  function isIdle([name, lane]: [string, OpenLane]): boolean {
    const isEmpty = lane.halted || (lane.drained && lanes.waiting(name) === 0)
    return isEmpty && !isBusy(lane) && !unacknowledged.has(name)
  }

  function isOurs(lane: string): boolean {
    return channel.lanes?.has(lane) ?? true
  }

  /** Takes lanes that have become due, continues with those that are due again, and releases the others. */
  async function openDue(): Promise<void> {
    look = false
    const idle = new Set([...open].filter(isIdle).map(([name]) => name))
    isHeldBack = await queue.carryOver(new Set(open.keys()), new Set([...open.keys()].filter((lane) => !idle.has(lane))))
    const now = clock.now()
    const due = (await queue.queued())
      .filter(({ dueAt, isServedElsewhere, lane }) => dueAt <= now && !isServedElsewhere && isOurs(lane) && !isHeldBack(lane))
      .map(({ lane }) => lane)
    // One that was taken from us and is free again waits for what we sent in it: its deliveries are still queued.
    const others = due.filter((lane) => !open.has(lane) && !unacknowledged.has(lane))
    if (open.size === 0) keptUntil = now.getTime() + lastsMs
    const mine = await queue.take(others)
    for (const name of due.filter((one) => mine.has(one) || idle.has(one))) {
      // What is left in its lane is read again, without the limit of a pause.
      if (idle.delete(name)) lanes.close(name)
      const lane = newLane(channel)
      open.set(name, lane)
      void read(name, lane)
    }
    await close([...idle])
  }

  /** Keeps the leases, and reads what has happened to the targets since. */
  async function renew(): Promise<void> {
    renewal = false
    const names = [...open.keys()]
    const kept = clock.now().getTime() + lastsMs
    const mine = await queue.prolong(names)
    keptUntil = kept
    await close(names.filter((name) => !mine.has(name)))
    await meet([...open].map(([name, lane]) => [name, lane, [...lane.targets.keys()]]))
  }

  /** Reads where targets lead, drops deliveries to those that are gone, and moves deliveries to those that lead elsewhere. */
  async function meet(those: readonly (readonly [name: string, lane: OpenLane, targets: readonly string[]])[]): Promise<void> {
    const all = those.flatMap(([, , targets]) => targets)
    if (all.length === 0) return
    const found = await channel.meet(all)
    for (const [name, lane, targets] of those) {
      for (const target of targets) {
        const met = found.get(target)
        const leadsHere = met !== undefined && met.lane === name
        lane.targets.set(target, leadsHere ? met : null)
        if (met && !leadsHere) await move(target, met.lane)
      }
      setLimit(name, lane)
    }
    const gone = all.filter((target) => !found.has(target))
    const dropped = await queue.drop(gone)
    if (dropped > 0) channel.dropped(dropped, gone)
  }

  async function move(target: string, lane: string): Promise<void> {
    await queue.move(target, lane)
    look = true
  }

  function send(): void {
    while (!isStopping() && attempts.length + beingAcknowledged < MAX_UNACKNOWLEDGED) {
      if (lanes.inFlight() >= GIVING_WAY && traffic?.isHeavy()) return
      // This process was paused: another one may have taken over.
      if (clock.now().getTime() >= keptUntil && open.size > 0) {
        renewal = true
        bell.ring()
        return
      }
      const delivery = lanes.take()
      if (!delivery) return
      const { lane: name } = delivery
      const lane = open.get(name)
      const target = lane?.targets.get(delivery.target)
      if (lane && target) {
        unacknowledged.set(name, (unacknowledged.get(name) ?? 0) + 1)
        void attempt(target, delivery)
      } else {
        lanes.done(delivery)
      }
      if (lane && !lane.drained && !lane.reading && !lane.halted && lanes.waiting(name) < pageSize(lane) / 3) {
        void read(name, lane)
      }
    }
  }

  async function attempt(target: Target, delivery: Delivery): Promise<void> {
    const begun = performance.now()
    const outcome = await target
      .send(delivery)
      .catch((error: unknown): Outcome => ({ ok: false, reason: reasonOf(error), error }))
    if ('postponedUntil' in outcome) return postpone(delivery, outcome.postponedUntil)
    haltAfter(outcome, delivery.lane)
    lanes.done(delivery)
    attempts.push({ delivery, outcome, at: clock.now(), milliseconds: performance.now() - begun })
    send()
    if (attempts.length >= ACKNOWLEDGE_AFTER || lanes.inFlight() === 0) bell.ring()
    else acknowledgeTimer ??= setTimeout(bell.ring, ACKNOWLEDGE_WITHIN)
  }

  /** Leaves a delivery as it is, and its lane alone for a time. */
  async function postpone(delivery: Delivery, until: Date): Promise<void> {
    const { lane: name } = delivery
    const lane = open.get(name)
    const isFirst = lane && !lane.halted
    halt(name)
    lanes.done(delivery)
    acknowledged(name)
    if (isFirst) {
      lane.pausing = true
      await queue.pause(name, until).catch((error: unknown) => {
        fault ??= { error }
      })
      lane.pausing = false
    }
    bell.ring()
  }

  /** Reads the next page of a lane. */
  async function read(name: string, lane: OpenLane): Promise<void> {
    lane.reading = true
    try {
      const size = pageSize(lane)
      const page = await queue.read(name, clock.now(), lane.last, size)
      const unknown = new Set(page.map(({ target }) => target).filter((target) => !lane.targets.has(target)))
      await meet([[name, lane, [...unknown]]])
      lane.last = page.at(-1) ?? lane.last
      lane.drained = page.length < size
      const prepared = channel.prepare && page.length > 0 ? await channel.prepare(page, lane.targets) : page
      if (open.get(name) === lane) lanes.add(name, prepared)
    } catch (error) {
      fault ??= { error }
    }
    lane.reading = false
    send()
    bell.ring()
  }

  function pageSize({ atOnce }: OpenLane): number {
    if (atOnce < channel.atOncePerLane) return SMALLEST_PAGE
    return Math.max(SMALLEST_PAGE, Math.min(MAX_PAGE, Math.floor(IN_MEMORY / open.size)))
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
      if (batch.some(({ outcome }) => outcome.ok && outcome.becomes)) look = true
      for (const one of failed) channel.failed(one, channel.nextTry(one))
      committed?.()
      for (const lane of paused.keys()) halt(lane)
      for (const { delivery } of batch) acknowledged(delivery.lane)
      for (const lane of new Set(batch.map(({ delivery }) => delivery.lane))) learn(lane, limits)
    } finally {
      beingAcknowledged = 0
    }
  }

  function acknowledged(lane: string): void {
    const left = (unacknowledged.get(lane) ?? 0) - 1
    if (left > 0) unacknowledged.set(lane, left)
    else unacknowledged.delete(lane)
    if (left <= 0 && !open.has(lane)) look = true
  }

  /** Keeps how many attempts targets of a lane get from now on. Those that are gone get none. */
  function learn(name: string, limits: ReadonlyMap<string, number | null>): void {
    const lane = open.get(name)
    if (!lane) return
    for (const [id, target] of lane.targets) {
      const limit = limits.get(id)
      if (target && limit !== undefined) lane.targets.set(id, limit === null ? null : { ...target, atOnce: limit })
    }
    setLimit(name, lane)
  }

  /** Sends no more in a lane whose receiver asks for a pause, fails again and again, or has failed as a probe. */
  function haltAfter(outcome: Outcome, name: string): void {
    const lane = open.get(name)
    if (!lane) return
    lane.failures = outcome.ok ? 0 : lane.failures + 1
    const isProbed = lane.atOnce < channel.atOncePerLane || lane.failures >= (channel.haltsAfter ?? Number.POSITIVE_INFINITY)
    if (!outcome.ok && (outcome.retryAt || isProbed)) halt(name)
  }

  function halt(name: string): void {
    const lane = open.get(name)
    if (!lane || lane.halted) return
    lane.halted = true
    lanes.limit(name, 0)
  }

  /** Slows a lane down if all of its targets are failing. */
  function setLimit(name: string, lane: OpenLane): void {
    const limits = [...lane.targets.values()].flatMap((target) => (target ? [target.atOnce] : []))
    const atOnce = limits.length > 0 ? Math.max(...limits) : channel.atOncePerLane
    if (open.get(name) !== lane || lane.halted || lane.atOnce === atOnce) return
    lane.atOnce = atOnce
    lanes.limit(name, atOnce)
  }

  /** Stops serving lanes and releases their leases. */
  async function close(names: readonly string[]): Promise<void> {
    for (const name of names) {
      open.delete(name)
      lanes.close(name)
    }
    await queue.release(names)
  }
}

/** Text of what a function of the host has thrown. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error ?? 'It failed without an error')
  return text.slice(0, MAX_REASON)
}
