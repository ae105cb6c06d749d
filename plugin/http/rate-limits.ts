import type { RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../core/clock.js'
import { Unavailable } from '../core/errors.js'
import { loadPackage } from '../core/load-package.js'
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

/** One limit of a store: `consume` counts a call, or several at once, and rejects with a `RateLimiterRes` if it is over the limit. */
export interface LimitStore {
  consume(key: string, calls?: number): Promise<RateLimiterRes>
  /** Gives calls back that were counted and then refused. */
  reward(key: string, calls: number): Promise<RateLimiterRes>
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
  openStore: OpenLimitStore = openInMemory,
): RateLimits {
  const hour = openStore({ points: perHour, duration: AN_HOUR, keyPrefix: 'hour' })
  const short = burst === false ? null : openStore({ points: burst, duration: burstMs / 1000, keyPrefix: 'burst' })

  return {
    async count(key, further = 0): Promise<RateFigures> {
      // What counts as several calls never takes more than all of a limit: it would be refused for ever.
      const callsOf = (points: number) => (further === 0 ? 1 : Math.min(further, points - 1))
      // The burst first: a call that it refuses must not count for the hourly limit.
      const quick = short && burst !== false ? await consume(short, key, callsOf(burst)) : null
      const isBurst = quick?.refused ?? false
      const long = isBurst ? await look(hour, key, perHour) : await consume(hour, key, callsOf(perHour))
      if (further > 0 && short && isBurst && burst !== false) await giveBack(short, key, callsOf(burst))
      if (further > 0 && !isBurst && long.refused) long.result = await giveBack(hour, key, callsOf(perHour))
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

function openInMemory(limit: Parameters<OpenLimitStore>[0]): LimitStore {
  const RateLimiterMemory = loadPackage('rate-limiter-flexible/lib/RateLimiterMemory.js')
  return new RateLimiterMemory(limit)
}

interface Counted {
  /** Null before the first call. */
  result: RateLimiterRes | null
  readonly refused: boolean
}

async function consume(store: LimitStore, key: string, calls: number): Promise<Counted> {
  try {
    return { result: await store.consume(key, calls), refused: false }
  } catch (thrown) {
    if (thrown instanceof loadPackage('rate-limiter-flexible/lib/RateLimiterRes.js')) return { result: thrown, refused: true }
    throw new Unavailable(thrown)
  }
}

/** The figures without the calls that were refused together: those that are left may still be made one by one. */
async function giveBack(store: LimitStore, key: string, calls: number): Promise<RateLimiterRes> {
  try {
    return await store.reward(key, calls)
  } catch (error) {
    throw new Unavailable(error)
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
