/**
 * Requests and the work in the background share one processor. While requests come and it has no idle time, work that can wait for a
 * moment gives way, so that a burst of events does not make people wait (ADR 62).
 */
import { performance } from 'node:perf_hooks'

/** The requests of this process. */
export interface Traffic {
  /** To be called for each request. */
  arrived(): void
  /** True while requests come and find the processor busy. */
  isHeavy(): boolean
}

/** Milliseconds over which the processor is looked at, and the share of them in which it must have been busy. */
const WINDOW = 50
const BUSY = 0.95

/** @param load returns the share of time in which the processor was busy since it was called last; 0 to 1 */
export function createTraffic(load = createLoad(), now: () => number = () => performance.now()): Traffic {
  let [arrivals, isHeavy, since] = [0, false, now()]
  return {
    arrived() {
      arrivals += 1
    },
    isHeavy() {
      if (now() - since >= WINDOW) {
        isHeavy = load() > BUSY && arrivals > 0
        arrivals = 0
        since = now()
      }
      return isHeavy
    },
  }
}

function createLoad(): () => number {
  let seen = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, seen)
    seen = current
    return utilization
  }
}
