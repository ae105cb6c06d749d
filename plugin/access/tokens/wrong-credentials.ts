/** Counts failed sign-ins. See behaviour: Rate limits. */
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { TooManyRequests } from '../../core/errors.js'
import { loadPackage } from '../../core/load-package.js'
import { networkOf } from '../../core/network-of.js'
import { createTurns } from '../../core/waiting/turns.js'

export interface FailureLimit {
  /**
   * Counts an attempt before its result is known, so that concurrent attempts cannot exceed the limit. Returns the error for an
   * attempt beyond it.
   */
  take(key: string): Promise<TooManyRequests | null>
  /** Runs a counted attempt. Removes the count unless the result is null, which is a wrong attempt. */
  judge<T>(key: string, work: () => Promise<T | null>): Promise<T | null>
}

const QUARTER_OF_AN_HOUR = 900
/** Clients wait at least this many seconds (behaviour: Rate limits). */
const MIN_WAIT = 2

/** Creates the limit of this process: the number of failures in a quarter of an hour, counted from the first one. */
export function createFailureLimit(points: number): FailureLimit {
  const RateLimiterMemory = loadPackage('rate-limiter-flexible/lib/RateLimiterMemory.js')
  const counter = new RateLimiterMemory({ points, duration: QUARTER_OF_AN_HOUR })
  return {
    async take(key) {
      try {
        await counter.consume(key)
        return null
      } catch (refused) {
        // A refused attempt does not count, otherwise right ones in progress could not make room again.
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

/** Limits for lookups that wait in the queue. */
const LOOKUPS = { atOnce: 8, atOncePerKey: 2, waiting: 400, waitingPerKey: 200, refusal: tooManyAtOnce }

/** Creates the turns in which addresses have secrets looked up of which nobody knows whether they are right. */
export const createLookupTurns = () => createTurns(LOOKUPS)

/**
 * Creates the lookup of secrets that cannot be guessed, where the limit of wrong ones only protects the lookup: a right one always
 * gets in, so that others at its address cannot lock it out.
 *
 * @throws TooManyRequests (the lookup) for wrong ones beyond the limit; for all, if too many are waiting there
 */
export function createSecretLookup(wrong: FailureLimit) {
  const turns = createLookupTurns()
  return async <T>(remoteAddress: string, look: () => Promise<T | null>): Promise<T | null> => {
    const address = networkOf(remoteAddress)
    const refusal = await wrong.take(address)
    const found = await (refusal ? turns.run(address, look) : wrong.judge(address, look))
    if (!found && refusal) throw refusal
    return found
  }
}

function refusalAfter({ msBeforeNext }: RateLimiterRes): TooManyRequests {
  const seconds = Math.max(MIN_WAIT, Math.ceil(msBeforeNext / 1_000))
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new TooManyRequests(seconds, `Too many failed sign-ins from this address; try again in ${wait}`)
}

/** Creates the error for a sign-in for which the queue is full. */
export function tooManyAtOnce(): TooManyRequests {
  return new TooManyRequests(MIN_WAIT, `Too many sign-ins at once; try again in ${MIN_WAIT} seconds`)
}
