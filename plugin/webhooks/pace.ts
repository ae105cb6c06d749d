/** How many deliveries a webhook wants in a minute. Pure. */

const MINUTE = 60_000

/**
 * The earliest time at which one more delivery may be sent, so that no minute has more than `maxPerMinute`; null for now.
 *
 * @param sentAt times at which deliveries were sent, in any order; those of the last minute are enough
 */
export function pace(maxPerMinute: number | null, sentAt: readonly Date[], now: Date): Date | null {
  if (maxPerMinute === null) return null
  const recent = sentAt.map((at) => at.getTime()).filter((at) => at > now.getTime() - MINUTE && at <= now.getTime())
  // The minute of this one is over before the next one is sent.
  const last = recent.sort((one, other) => other - one)[maxPerMinute - 1]
  return last === undefined ? null : new Date(last + MINUTE)
}
