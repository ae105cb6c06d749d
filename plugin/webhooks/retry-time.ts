/** The times that receivers ask for. Pure (behaviour: Webhook delivery). */

/** Milliseconds for which a receiver may ask at most. */
const LONGEST = 24 * 3600_000
/** An HTTP date begins with the day of the week; a plain number is not one. */
const DATE = /^[A-Za-z]{3,9},? /

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @returns the time before which the receiver wants nothing, at most a day later; null if the header is neither, or is in the past
 */
export function retryTime(header: string, now: Date): Date | null {
  const text = header.trim()
  const time = /^\d+$/.test(text) ? now.getTime() + Number(text) * 1000 : DATE.test(text) ? Date.parse(text) : Number.NaN
  if (!(time > now.getTime())) return null
  return new Date(Math.min(time, now.getTime() + LONGEST))
}
