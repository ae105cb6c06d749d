import type { Clock } from '../core/clock.js'

/** The time of a test desk: that of the computer, until it is set. */
export interface DeskClock extends Clock {
  /** Stops at a time; null goes with the computer again. @throws RangeError for a text that is no time */
  set(at: string | Date | null): void
}

/** Creates a clock. */
export function deskClock(): DeskClock {
  let stopped: Date | null = null
  return {
    now: () => (stopped ? new Date(stopped) : new Date()),
    set(at) {
      const time = at === null ? null : new Date(at)
      if (time && Number.isNaN(time.getTime())) throw new RangeError(`The clock cannot be set to '${String(at)}'`)
      stopped = time
    },
  }
}
