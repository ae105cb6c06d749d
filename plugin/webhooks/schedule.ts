/** When a message is sent again. Pure. Specification: gaps 5.3. */

/** A message is dropped after so many failed attempts. */
export const MOST_ATTEMPTS = 10

/** The longest wait, in minutes; reached after the ninth failure. */
const LONGEST_MINUTES = 256

/**
 * The moment of the next attempt: 1, 2, 4 … 256 minutes after the 1st … 9th failure, about 8.5 hours in total. Null when the
 * message has had its ten attempts and is dropped.
 *
 * @param attempts failed attempts so far, the last one included
 */
export function nextAttempt(attempts: number, failedAt: Date): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null
  const minutes = Math.min(2 ** Math.max(0, attempts - 1), LONGEST_MINUTES)
  return new Date(failedAt.getTime() + minutes * 60_000)
}
