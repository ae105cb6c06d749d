/** The lanes that this process serves: what it has read of them, where their targets lead, and how much it sends in them. */
import type { Clock } from '../core/clock.js'
import type { Channel, Target } from './channel.js'
import type { Delivery, Outcome } from './delivery.js'
import type { Lanes } from './lanes.js'
import type { Queue } from './queue.js'

interface OpenLanesDeps {
  readonly channel: Channel
  readonly clock: Clock
  readonly queue: Queue
  /** What has been read, and waits in memory. */
  readonly lanes: Lanes<Delivery>
  /** To be called when other lanes may have become due. */
  readonly search: () => void
  /** To be called when something was read or stored; with the reason if that failed. */
  readonly advance: (fault?: Fault) => void
}

/** What has ended the work. */
export interface Fault {
  readonly error: unknown
}

interface OpenLane {
  /** Targets of the deliveries that have been read; null for one that is gone, or leads to another lane now. */
  readonly targets: Map<string, Target | null>
  atOnce: number
  /** The last delivery that was read; null to start at the beginning of the queue. */
  last: Delivery | null
  /** True while something is read or written that the lane has to wait for. */
  busy: boolean
  /** True if the last page was the end of its queue. */
  drained: boolean
  /** Failures in a row since it was opened. */
  failures: number
  /** True if nothing more is sent in it, because it fails or is paused; what was sent is waited for. */
  halted: boolean
}

/** Maximum number of deliveries in memory, and limits of a page of one lane. */
const IN_MEMORY = 30_000
const [SMALLEST_PAGE, MAX_PAGE] = [20, 300]

/** The lanes of {@link createOpenLanes}. */
export type OpenLanes = ReturnType<typeof createOpenLanes>

export function createOpenLanes({ advance, channel, clock, lanes, queue, search }: OpenLanesDeps) {
  const open = new Map<string, OpenLane>()
  /** Number of attempts in flight or not acknowledged, by lane; also of lanes whose lease has been lost since. */
  const unacknowledged = new Map<string, number>()

  return {
    names: () => [...open.keys()],
    isEmpty: () => open.size === 0,
    /** True if the lane is served, or was, and some of what was sent in it is not acknowledged. */
    isOurs: (name: string) => open.has(name) || unacknowledged.has(name),
    idle: () => new Set([...open].filter(isIdle).map(([name]) => name)),
    isBusy: () => [...open.values()].some(({ busy }) => busy),

    /** Serves a lane from the beginning of its queue, also one that is open. */
    open(name: string): void {
      if (open.has(name)) lanes.close(name)
      const state = { last: null, busy: false, drained: false, failures: 0, halted: false }
      const lane: OpenLane = { targets: new Map(), atOnce: channel.atOncePerLane, ...state }
      open.set(name, lane)
      void read(name, lane)
    },

    /** Stops serving lanes and releases their leases. */
    async close(names: readonly string[]): Promise<void> {
      for (const name of names) {
        open.delete(name)
        lanes.close(name)
      }
      await queue.release(names)
    },

    /** Reads what has happened to the targets since. */
    refresh: () => meet([...open].map(([name, lane]) => [name, lane, [...lane.targets.keys()]])),

    /** The target of a delivery that is sent now; null for one that is not to be sent. Reads on if few are left in its lane. */
    begin({ lane: name, target }: Delivery): Target | null {
      const lane = open.get(name)
      if (!lane) return null
      if (!lane.drained && !lane.busy && !lane.halted && lanes.waiting(name) < pageSize(lane) / 3) void read(name, lane)
      const met = lane.targets.get(target)
      if (met) unacknowledged.set(name, (unacknowledged.get(name) ?? 0) + 1)
      return met ?? null
    },

    /** Sends no more in a lane whose receiver asks for a pause, fails again and again, or has failed as a probe. */
    ended(name: string, outcome: Outcome): void {
      const lane = open.get(name)
      if (!lane) return
      lane.failures = outcome.ok ? 0 : lane.failures + 1
      const isProbed = lane.atOnce < channel.atOncePerLane || lane.failures >= (channel.haltsAfter ?? Number.POSITIVE_INFINITY)
      if (!outcome.ok && (outcome.retryAt || isProbed)) halt(name)
    },

    /** Leaves a lane alone for a time, because of a delivery that was begun and not sent. */
    async postpone(name: string, until: Date): Promise<void> {
      acknowledged(name)
      const lane = open.get(name)
      if (!lane || lane.halted) return advance()
      halt(name)
      await busyWith(lane, () => queue.pause(name, until))
    },

    /** Follows what a batch has changed: pauses, and how many attempts targets get from now on. Those that are gone get none. */
    follow(names: readonly string[], paused: Iterable<string>, limits: ReadonlyMap<string, number | null>): void {
      for (const name of paused) halt(name)
      for (const name of names) acknowledged(name)
      for (const name of new Set(names)) {
        const lane = open.get(name)
        for (const [id, target] of lane?.targets ?? []) {
          const limit = limits.get(id)
          if (target && limit !== undefined) lane?.targets.set(id, limit === null ? null : { ...target, atOnce: limit })
        }
        if (lane) setLimit(name, lane)
      }
    },

    /** What was sent is known no more. */
    forget: () => unacknowledged.clear(),
  }

  function isIdle([name, lane]: [string, OpenLane]): boolean {
    const isEmpty = lane.halted || (lane.drained && lanes.waiting(name) === 0)
    return isEmpty && !lane.busy && !unacknowledged.has(name)
  }

  function acknowledged(name: string): void {
    const left = (unacknowledged.get(name) ?? 0) - 1
    if (left > 0) unacknowledged.set(name, left)
    else unacknowledged.delete(name)
    if (left <= 0 && !open.has(name)) search()
  }

  function halt(name: string): void {
    const lane = open.get(name)
    if (lane) lane.halted = true
    if (lane) lanes.limit(name, 0)
  }

  /** Slows a lane down if all of its targets are failing. */
  function setLimit(name: string, lane: OpenLane): void {
    const limits = [...lane.targets.values()].flatMap((target) => (target ? [target.atOnce] : []))
    const atOnce = limits.length > 0 ? Math.max(...limits) : channel.atOncePerLane
    if (open.get(name) !== lane || lane.halted || lane.atOnce === atOnce) return
    lane.atOnce = atOnce
    lanes.limit(name, atOnce)
  }

  function pageSize({ atOnce }: OpenLane): number {
    if (atOnce < channel.atOncePerLane) return SMALLEST_PAGE
    return Math.max(SMALLEST_PAGE, Math.min(MAX_PAGE, Math.floor(IN_MEMORY / open.size)))
  }

  /** Reads the next page of a lane. */
  function read(name: string, lane: OpenLane): Promise<void> {
    return busyWith(lane, async () => {
      const size = pageSize(lane)
      const page = await queue.read(name, clock.now(), lane.last, size)
      const unknown = new Set(page.map(({ target }) => target).filter((target) => !lane.targets.has(target)))
      await meet([[name, lane, [...unknown]]])
      lane.last = page.at(-1) ?? lane.last
      lane.drained = page.length < size
      const prepared = channel.prepare && page.length > 0 ? await channel.prepare(page, lane.targets) : page
      if (open.get(name) === lane) lanes.add(name, prepared)
    })
  }

  async function busyWith(lane: OpenLane, work: () => Promise<void>): Promise<void> {
    lane.busy = true
    const fault = await work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    lane.busy = false
    advance(fault)
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
        if (!met || leadsHere) continue
        await queue.move(target, met.lane)
        search()
      }
      setLimit(name, lane)
    }
    const gone = all.filter((target) => !found.has(target))
    const dropped = await queue.drop(gone)
    if (dropped > 0) channel.dropped(dropped, gone)
  }
}
