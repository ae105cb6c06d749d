/** Counts failed sign-ins. See behaviour: Rate limits. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { TooManyRequests } from '../core/errors.js'

export interface FailureLimit {
  /** Counts a try before its result is known: tries side by side must not pass the limit. Returns the error of one too many. */
  take(key: string): Promise<TooManyRequests | null>
  /** Runs a try that has been counted. Takes the count back unless the result is null, which is a wrong try. */
  judge<T>(key: string, work: () => Promise<T | null>): Promise<T | null>
}

const QUARTER_OF_AN_HOUR = 900
/** Clients wait at least this many seconds (behaviour: Rate limits). */
const MIN_WAIT = 2

/** Creates the limit of this process: so many failures in a quarter of an hour, counted from the first one. */
export function createFailureLimit(points: number): FailureLimit {
  const counter = new RateLimiterMemory({ points, duration: QUARTER_OF_AN_HOUR })
  return {
    async take(key) {
      try {
        await counter.consume(key)
        return null
      } catch (refused) {
        // A try that is not made does not count, otherwise right ones in flight could not make room again.
        await counter.reward(key)
        return refusalAfter(refused as RateLimiterRes)
      }
    },
    async judge(key, work) {
      let isWrong = false
      try {
        const found = await work()
        isWrong = found === null
        return found
      } finally {
        if (!isWrong) await counter.reward(key)
      }
    },
  }
}

function refusalAfter({ msBeforeNext }: RateLimiterRes): TooManyRequests {
  const seconds = Math.max(MIN_WAIT, Math.ceil(msBeforeNext / 1_000))
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new TooManyRequests(seconds, `Too many failed sign-ins from this address; try again in ${wait}`)
}

/** Creates the error for a sign-in that may not even wait for its turn. */
export function tooManyAtOnce(): TooManyRequests {
  return new TooManyRequests(MIN_WAIT, `Too many sign-ins at once; try again in ${MIN_WAIT} seconds`)
}
