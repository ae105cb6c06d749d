import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../core/clock.js'
import { Unavailable } from '../core/errors.js'
import type { RateFigures } from './contract.js'
import type { RateLimits } from './deps.js'

/** Rate limits (spec, Limits; behaviour: Rate limits). Hosts with fast clients of their own can raise the burst. */
export interface RateLimitSettings {
  /** Calls per hour, counted from the first one. */
  readonly perHour: number
  /** Calls within `burstMs`; false for no such limit. */
  readonly burst: number | false
  readonly burstMs: number
}

/** One limit of a store: `consume` counts a call, and rejects with a `RateLimiterRes` if it is over the limit. */
export interface LimitStore {
  consume(key: string): Promise<RateLimiterRes>
  /** The present figures; null before the first call. */
  get(key: string): Promise<RateLimiterRes | null>
}

/** Creates the store of one limit; `keyPrefix` separates limits that share a table. */
export type OpenLimitStore = (limit: { points: number; duration: number; keyPrefix: string }) => LimitStore

/** Seconds. */
const AN_HOUR = 3_600

/**
 * The limits of a process, or, with a store in the database, of all processes together.
 *
 * @param openStore store of the counters; default: in memory
 */
export function createRateLimits(
  { perHour, burst, burstMs }: RateLimitSettings,
  clock: Clock,
  openStore: OpenLimitStore = (limit) => new RateLimiterMemory(limit),
): RateLimits {
  const hour = openStore({ points: perHour, duration: AN_HOUR, keyPrefix: 'hour' })
  const short = burst === false ? null : openStore({ points: burst, duration: burstMs / 1000, keyPrefix: 'burst' })

  return {
    async count(key): Promise<RateFigures> {
      // The burst first: a call that it refuses must not count for the hourly limit.
      const quick = short && (await consume(short, key))
      const isBurst = quick?.refused ?? false
      const long = isBurst ? await look(hour, key, perHour) : await consume(hour, key)
      const refused = long.refused ? long : isBurst ? quick : null
      const { remainingPoints, msBeforeNext } = long.result ?? { remainingPoints: perHour, msBeforeNext: AN_HOUR * 1_000 }
      return {
        limit: perHour,
        remaining: Math.max(0, remainingPoints),
        resetAt: Math.ceil((clock.now().getTime() + msBeforeNext) / 1_000),
        retryAfter: refused?.result ? Math.max(1, Math.ceil(refused.result.msBeforeNext / 1_000)) : null,
      }
    },
  }
}

interface Counted {
  /** Null before the first call. */
  readonly result: RateLimiterRes | null
  readonly refused: boolean
}

async function consume(store: LimitStore, key: string): Promise<Counted> {
  try {
    return { result: await store.consume(key), refused: false }
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { result: thrown, refused: true }
    throw new Unavailable(thrown)
  }
}

/** Reads the figures without counting. */
async function look(store: LimitStore, key: string, points: number): Promise<Counted> {
  try {
    const result = await store.get(key)
    return { result, refused: (result?.consumedPoints ?? 0) >= points }
  } catch (error) {
    throw new Unavailable(error)
  }
}
