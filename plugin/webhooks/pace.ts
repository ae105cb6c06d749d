/** How many deliveries webhooks want in a minute. */
import type { Clock } from '../core/clock.js'

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

/** What this process has sent in the last minute. One process at a time sends to a receiver; the next one begins anew. */
export interface Paces {
  /** Null if the webhook may get a delivery now, which is counted; else the time at which it may. */
  next(webhookId: number, maxPerMinute: number | null): Date | null
}

/** Creates the counts, which only webhooks with a limit have. */
export function createPaces(clock: Clock): Paces {
  const sent = new Map<number, Date[]>()
  return {
    next(webhookId, maxPerMinute) {
      if (maxPerMinute === null) return null
      const now = clock.now()
      const recent = (sent.get(webhookId) ?? []).filter((at) => at.getTime() > now.getTime() - MINUTE)
      const until = pace(maxPerMinute, recent, now)
      sent.set(webhookId, until ? recent : [...recent, now])
      return until
    },
  }
}
