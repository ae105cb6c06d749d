/** Times of retries. Pure (gaps 5.3). */

/** Maximum number of attempts; then the delivery is dropped. */
export const MOST_ATTEMPTS = 10

/** Maximum wait in minutes, reached after the ninth failure. */
const LONGEST_MINUTES = 256

/**
 * Returns the time of the next attempt: 1, 2, 4 … 256 minutes after the 1st … 9th failure, about 8.5 hours in total. Null after
 * the tenth attempt: the delivery is dropped.
 *
 * @param attempts number of failed attempts, the last one included
 */
export function nextAttempt(attempts: number, failedAt: Date): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null
  const minutes = Math.min(2 ** Math.max(0, attempts - 1), LONGEST_MINUTES)
  return new Date(failedAt.getTime() + minutes * 60_000)
}
