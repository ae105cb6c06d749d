/** Stores when tokens were last used, without the callers waiting for it. */
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { createShortMemory } from '../../core/short-memory.js'

/** Milliseconds between two writes for one token. */
const EVERY = 60_000
/** Maximum number of tokens whose last write is remembered. */
const MAX_REMEMBERED = 10_000

export interface LastUses {
  note(tokenId: number): void
  finished(): Promise<void>
}

/** @param write stores the time of a token, unless it has one later than `before`, from another process */
export function createLastUses(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  write: (tokenId: number, now: Date, before: Date) => PromiseLike<unknown>,
): LastUses {
  const noted = createShortMemory<void>({ clock, lasts: EVERY, max: MAX_REMEMBERED })
  const running = new Set<Promise<void>>()
  const store = async (tokenId: number): Promise<void> => {
    const now = clock.now()
    try {
      await write(tokenId, now, new Date(now.getTime() - EVERY))
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
