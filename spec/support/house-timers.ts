/** The timers of a house, as those of a process of their own. */
import { createTimers, type Timers, type TimersDeps } from '../../plugin/jobs/timers.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import type { House } from './house.js'
import { silent } from './settings.js'
import { MINUTE } from './webhooks.js'

/** @param more other settings: `{ pageSize: 10 }` */
export function timersOf(house: House, more: Partial<TimersDeps> = {}): Timers {
  const { callers, catalog, clock, operations, queries, storage } = house
  return createTimers({
    ...{ callers, catalog, clock, log: silent, operations, queries, storage, leaseMs: MINUTE },
    leases: createLeases({ storage, clock, log: silent, randomId: () => `${Math.random()}` }),
    ...more,
  })
}
