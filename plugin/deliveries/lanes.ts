/**
 * Deliveries in memory that wait to be sent, in lanes: decides which one is sent next. Lanes take turns, so that one receiver does
 * not delay another. Two deliveries with one key are never in flight in one lane at the same time, so that those about one record
 * arrive in order (behaviour: Delivery, Events). Uses neither database nor network.
 */
export interface LaneDelivery {
  /** Name of its lane: a receiver that one or more targets lead to. */
  readonly lane: string
  /** The record of the delivery, or its person. Deliveries with the same key are sent one after the other. */
  readonly key: string
}

export interface Lanes<D extends LaneDelivery> {
  /** Appends deliveries, in order of occurrence. */
  add(lane: string, deliveries: readonly D[]): void
  /** Sets the maximum number of deliveries in flight; fewer than the default marks the lane as slow. */
  limit(lane: string, atOnce: number): void
  /** Returns the next delivery to send; it counts as in flight from now on. */
  take(): D | undefined
  /** Marks the delivery as no longer in flight. */
  done(delivery: D): void
  /** Number of deliveries of the lane that have not been taken. */
  waiting(lane: string): number
  /** Number of deliveries of all lanes that have been taken and are not done. */
  inFlight(): number
  /** Removes the lane and its unsent deliveries. Those in flight still have to be `done`. */
  close(lane: string): void
}

interface Lane<D> {
  readonly name: string
  atOnce: number
  inFlight: number
  waiting: number
  /** In order, at most one per key. */
  ready: D[]
  /** Deliveries that wait for one of the same key that is ready or in flight. */
  behind: Map<string, D[]>
  /** True if the lane is in the ring. */
  inRing: boolean
  /** True if the lane is removed once nothing is in flight. */
  closing: boolean
}

/**
 * @param total maximum number of deliveries in flight; slow lanes together get at most half of them
 * @param atOnce maximum number of deliveries in flight per lane, unless `limit` changes it
 */
export function createLanes<D extends LaneDelivery>(total: number, atOnce: number): Lanes<D> {
  const lanes = new Map<string, Lane<D>>()
  /** Lanes that can send, in the order of their turns. */
  const ring: Lane<D>[] = []
  let inFlight = 0
  let slowInFlight = 0

  return {
    add(name, deliveries) {
      const lane = laneOf(name)
      lane.closing = false
      for (const delivery of deliveries) {
        const behind = lane.behind.get(delivery.key)
        if (behind) behind.push(delivery)
        else {
          lane.behind.set(delivery.key, [])
          lane.ready.push(delivery)
        }
      }
      lane.waiting += deliveries.length
      joinRing(lane)
    },
    limit(name, limit) {
      const lane = laneOf(name)
      if (isSlow(lane)) slowInFlight -= lane.inFlight
      lane.atOnce = limit
      if (isSlow(lane)) slowInFlight += lane.inFlight
      joinRing(lane)
    },
    take() {
      if (inFlight >= total) return undefined
      for (let turns = ring.length; turns > 0; turns -= 1) {
        const lane = ring.shift()
        if (!lane) return undefined
        lane.inRing = false
        const postponed = isSlow(lane) && slowInFlight >= total / 2
        const delivery = postponed || !canSend(lane) ? undefined : lane.ready.shift()
        if (delivery) {
          inFlight += 1
          lane.inFlight += 1
          lane.waiting -= 1
          if (isSlow(lane)) slowInFlight += 1
        }
        joinRing(lane)
        if (delivery) return delivery
      }
      return undefined
    },
    done(delivery) {
      const lane = laneOf(delivery.lane)
      inFlight -= 1
      lane.inFlight -= 1
      if (isSlow(lane)) slowInFlight -= 1
      const behind = lane.behind.get(delivery.key) ?? []
      const next = behind.shift()
      // The next delivery of this record is older than all others that have not been sent.
      if (next) lane.ready.unshift(next)
      else lane.behind.delete(delivery.key)
      joinRing(lane)
      if (lane.closing && lane.inFlight === 0) lanes.delete(lane.name)
    },
    waiting: (name) => lanes.get(name)?.waiting ?? 0,
    inFlight: () => inFlight,
    close(name) {
      const lane = lanes.get(name)
      if (!lane) return
      lane.ready = []
      lane.behind = new Map()
      lane.waiting = 0
      lane.closing = true
      if (lane.inFlight === 0) lanes.delete(lane.name)
    },
  }

  function laneOf(name: string): Lane<D> {
    const known = lanes.get(name)
    if (known) return known
    const empty = { inFlight: 0, waiting: 0, ready: [], behind: new Map(), inRing: false, closing: false }
    const lane: Lane<D> = { name, atOnce, ...empty }
    lanes.set(name, lane)
    return lane
  }

  function isSlow(lane: Lane<D>): boolean {
    return lane.atOnce < atOnce
  }

  function canSend(lane: Lane<D>): boolean {
    return lane.ready.length > 0 && lane.inFlight < lane.atOnce
  }

  function joinRing(lane: Lane<D>): void {
    if (lane.inRing || !canSend(lane)) return
    lane.inRing = true
    ring.push(lane)
  }
}
