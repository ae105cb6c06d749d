import type { Clock } from '../core/clock.js'
import { instantOf } from '../core/clock.js'
import type { Catalog } from '../schema/catalog.js'
import type { Queries } from '../storage/records/query.js'
import { readDue } from './due-records.js'

/** Dependencies of reading how late timers are. */
export interface LateTimersDeps {
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
  readonly clock: Clock
}

/** Milliseconds for which the most overdue record of all timers has waited; 0 if none is due. One row of an index is read for each. */
export async function readLateness({ catalog, clock, queries }: LateTimersDeps): Promise<number> {
  const now = clock.now()
  const range = { from: null, until: instantOf(now), after: null, limit: 1 }
  let latest = 0
  for (const type of catalog.types.values()) {
    for (const timer of type.timers) {
      const [first] = await readDue(queries, { type, timer }, range)
      if (first) latest = Math.max(latest, now.getTime() - Date.parse(first.moment))
    }
  }
  return latest
}
