import type { Channel, Target } from './channel.js'
import type { Delivery } from './delivery.js'

/** A lane that this process serves. */
export interface OpenLane {
  /** Targets of the deliveries that have been read; null for one that is gone, or leads to another lane now. */
  readonly targets: Map<string, Target | null>
  atOnce: number
  /** The last delivery that was read; null to start at the beginning of the queue. */
  last: Delivery | null
  reading: boolean
  /** True if the last page was the end of its queue. */
  drained: boolean
  /** Failures in a row since it was opened. */
  failures: number
  /** True if nothing more is sent in it, because it fails or is paused; what was sent is waited for. */
  halted: boolean
  /** True while a pause is being stored. */
  pausing: boolean
}

/** A lane of which nothing has been read. */
export function newLane({ atOncePerLane: atOnce }: Channel): OpenLane {
  const state = { last: null, reading: false, drained: false, failures: 0, halted: false, pausing: false }
  return { targets: new Map(), atOnce, ...state }
}

/** True while something is read or written for a lane that it has to wait for. */
export function isBusy({ pausing, reading }: OpenLane): boolean {
  return pausing || reading
}
