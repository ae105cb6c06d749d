/** The times that receivers ask for. Pure (behaviour: Delivery). */

/** Milliseconds for which a receiver may ask at most. */
const LONGEST = 24 * 3600_000
/** `Sun, 06 Nov 1994 08:49:37 GMT` and `Sunday, 06-Nov-94 08:49:37 GMT`. `Date.parse` alone reads a year from any text. */
const DATE = /^[a-z]{3,9}, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/i
/** The oldest form of a date, in UTC without saying so: `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date in one of its three forms.
 *
 * @returns the time before which the receiver wants nothing, at most a day later; null if the header is neither, or is in the past
 */
export function retryTime(header: string, now: Date): Date | null {
  const time = timeIn(header.trim(), now)
  if (!(time > now.getTime())) return null
  return new Date(Math.min(time, now.getTime() + LONGEST))
}

function timeIn(text: string, now: Date): number {
  if (/^\d+$/.test(text)) return now.getTime() + Number(text) * 1000
  if (DATE.test(text)) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
