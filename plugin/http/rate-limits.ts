import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../core/clock.js'
import { Unavailable } from '../core/errors.js'
import type { RateFigures, RateLimits } from './parts.js'

/** How often somebody may call (spec, Limits; gaps 8.3). Whoever serves fast clients of their own raises the burst. */
export interface RateLimitOptions {
  /** Calls an hour, counted from the first one. Default 3600. */
  readonly perHour?: number
  /** Calls within `burstSeconds`; false for no such limit. Default 20. */
  readonly burst?: number | false
  /** Default 2. */
  readonly burstSeconds?: number
}

/** One limit of a store: `consume` counts a call, and rejects with a `RateLimiterRes` when it is one too many. */
export interface LimitStore {
  consume(key: string): Promise<RateLimiterRes>
}

/** Makes the store of one limit; `keyPrefix` keeps limits apart that share a table. */
export type OpenLimitStore = (limit: { points: number; duration: number; keyPrefix: string }) => LimitStore

/**
 * The limits of a process, or, with a store in the database, of all processes together.
 *
 * @param openStore where the counts are; default: in memory
 */
export function createRateLimits(
  { perHour = 3600, burst = 20, burstSeconds = 2 }: RateLimitOptions,
  clock: Clock,
  openStore: OpenLimitStore = (limit) => new RateLimiterMemory(limit),
): RateLimits {
  const hour = openStore({ points: perHour, duration: 3600, keyPrefix: 'hour' })
  const short = burst === false ? null : openStore({ points: burst, duration: burstSeconds, keyPrefix: 'burst' })

  return {
    async count(key): Promise<RateFigures> {
      const long = await consume(hour, key)
      const quick = short && !long.refused ? await consume(short, key) : null
      const refused = long.refused ? long : quick?.refused ? quick : null
      return {
        limit: perHour,
        remaining: Math.max(0, long.result.remainingPoints),
        resetAt: Math.ceil((clock.now().getTime() + long.result.msBeforeNext) / 1000),
        retryAfter: refused ? Math.max(1, Math.ceil(refused.result.msBeforeNext / 1000)) : null,
      }
    },
  }
}

async function consume(store: LimitStore, key: string): Promise<{ result: RateLimiterRes; refused: boolean }> {
  try {
    return { result: await store.consume(key), refused: false }
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { result: thrown, refused: true }
    throw new Unavailable(thrown)
  }
}
