/** Times at which a receiver is told again of what failed. Pure (behaviour: Delivery). */
import { type Backoff, pauseAfter } from './backoff.js'

/** Maximum number of attempts. */
export const MAX_ATTEMPTS = 10

/** The longest pause is reached after the ninth failure. */
const PAUSES: Backoff = { firstMs: 60_000, mostMs: 256 * 60_000 }

/**
 * Returns the time of the next attempt: 1, 2, 4 … 256 minutes after the 1st … 9th failure, about 8.5 hours in total. Null after
 * the tenth attempt, the last one.
 *
 * @param attempts number of failed attempts, the last one included
 */
export function nextAttempt(attempts: number, failedAt: Date): Date | null {
  if (attempts >= MAX_ATTEMPTS) return null
  return new Date(failedAt.getTime() + pauseAfter(attempts, PAUSES))
}
