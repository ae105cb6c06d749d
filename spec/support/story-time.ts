/** Time in stories: a clock that a step sets, and the timers, which nothing else runs. */
import type { Clock } from '../../plugin/core/clock.js'
import { createTimers, type Timers } from '../../plugin/jobs/timers.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import type { SetTime } from '../../plugin/testing/index.js'
import { buildHouse } from './house.js'
import type { Mounted } from './mounted.js'
import { silent } from './settings.js'
import { MINUTE } from './webhooks.js'

export interface StoryClock extends Clock {
  /** Stops at a time; null follows the time of the computer. */
  set(at: string | null): void
}

export function storyClock(): StoryClock {
  let stopped: Date | null = null
  return {
    now: () => stopped ?? new Date(),
    set(at) {
      stopped = at === null ? null : new Date(at)
    },
  }
}

/** Saves what is due, as another process on the same database does: once for each time that a step sets. */
export function storyTime(mounted: Mounted, clock: StoryClock): { readonly set: SetTime } {
  let made: { readonly timers: Timers; readonly clock: { set(at: string): void }; readonly forget: () => void } | null = null
  return {
    async set(at) {
      clock.set(at)
      // Compiling the catalog takes longer than a story.
      made ??= timersOn(mounted)
      made.forget()
      made.clock.set(at)
      await made.timers.fireDue()
      mounted.itsm.forget()
    },
  }
}

function timersOn({ database: { storage } }: Mounted) {
  const { callers, catalog, clock, operations } = buildHouse(storage, {})
  let ids = 0
  const timers = createTimers({
    ...{ callers, catalog, clock, operations, storage },
    log: silent,
    leaseMs: MINUTE,
    queries: createQueries(storage, catalog),
    leases: createLeases({ storage, clock, log: silent, randomId: () => `story ${ids++}` }),
  })
  return { timers, clock, forget: () => storage.changes.tell(null) }
}
