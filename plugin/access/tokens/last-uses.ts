/** Stores when tokens, clients and sessions were last used, without the callers waiting for it. */
import type { Knex } from 'knex'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import { timestampOf } from '../../storage/database/timestamps.js'

/** Milliseconds between two writes for one row. */
const EVERY = 60_000
/** Maximum number of rows whose last write is remembered. */
const MAX_REMEMBERED = 10_000

export interface LastUses {
  note(id: number): void
  finished(): Promise<void>
}

/**
 * @param table with a column `last_used_at`
 * @param what the kind of its rows, for the log
 */
export function createLastUses(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  table: () => Knex.QueryBuilder,
  what = 'token',
): LastUses {
  const noted = createShortMemory<void>({ clock, lasts: EVERY, max: MAX_REMEMBERED })
  const running = new Set<Promise<void>>()
  const store = async (id: number): Promise<void> => {
    const now = clock.now()
    try {
      const before = timestampOf(new Date(now.getTime() - EVERY))
      // Another process may have stored a later time.
      await table()
        .where({ id })
        .where((query) => query.whereNull('last_used_at').orWhere('last_used_at', '<=', before))
        .update({ last_used_at: timestampOf(now) })
    } catch (err) {
      log.warn({ err, [`${what}Id`]: id }, `The time of the last use of a ${what} could not be stored`)
    }
  }
  return {
    note(id) {
      const start = () => {
        const stored = store(id).finally(() => running.delete(stored))
        running.add(stored)
        return stored
      }
      void noted.recall(String(id), start)
    },
    finished: async () => void (await Promise.all(running)),
  }
}
