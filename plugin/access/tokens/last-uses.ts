/** Stores when tokens were last used, without the callers waiting for it. */
import type { Knex } from 'knex'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import { timestampOf } from '../../storage/database/timestamps.js'

/** Milliseconds between two writes for one token. */
const EVERY = 60_000
/** Maximum number of tokens whose last write is remembered. */
const MAX_REMEMBERED = 10_000

export interface LastUses {
  note(tokenId: number): void
  finished(): Promise<void>
}

/** @param table of tokens or clients, with a column `last_used_at` */
export function createLastUses(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  table: () => Knex.QueryBuilder,
): LastUses {
  const noted = createShortMemory<void>({ clock, lasts: EVERY, max: MAX_REMEMBERED })
  const running = new Set<Promise<void>>()
  const store = async (tokenId: number): Promise<void> => {
    const now = clock.now()
    try {
      const before = timestampOf(new Date(now.getTime() - EVERY))
      // Another process may have stored a later time.
      await table()
        .where({ id: tokenId })
        .where((query) => query.whereNull('last_used_at').orWhere('last_used_at', '<=', before))
        .update({ last_used_at: timestampOf(now) })
    } catch (err) {
      log.warn({ err, tokenId }, 'The time of the last use of a token could not be stored')
    }
  }
  return {
    note(tokenId) {
      const start = () => {
        const stored = store(tokenId).finally(() => running.delete(stored))
        running.add(stored)
        return stored
      }
      void noted.recall(String(tokenId), start)
    },
    finished: async () => void (await Promise.all(running)),
  }
}
