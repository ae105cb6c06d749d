/** Time in stories: a clock that a step sets, and the timers, which nothing else runs. */
import type { Clock } from '../../plugin/core/clock.js'
import { createTimers } from '../../plugin/jobs/timers.js'
import { createLeases } from '../../plugin/storage/leases.js'
import { createQueries } from '../../plugin/storage/query.js'
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

/** Saves what is due, as the jobs of another process on the same database do. */
export async function fireTimers({ database: { storage }, itsm }: Mounted, at: string): Promise<void> {
  const { callers, catalog, clock, operations } = buildHouse(storage, {})
  clock.set(at)
  const timers = createTimers({
    ...{ callers, catalog, clock, operations, storage },
    log: silent,
    leaseMs: MINUTE,
    queries: createQueries(storage, catalog),
    leases: createLeases({ storage, clock, log: silent, randomId: () => at }),
  })
  await timers.fireDue()
  itsm.forget()
}
