/** Agreements begin and end by their dates (behaviour: Service level agreements). */
import type { Instant } from '../../core/clock.js'
import { zoneOf } from '../../core/time/time-zones.js'
import { parseInstant } from '../../core/time/zoned-time.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

/**
 * Keeps the times at which the agreement begins and ends: at the start of the first day, and at the end of the last one, in its
 * time zone or that of the account. A status that has become wrong by then is set with the save.
 */
export const keepAgreementTimes = rule('keepAgreementTimes', (zone: string | null) => ({
  fields: ['status', 'start_date', 'expiry_date', 'begins_at', 'ends_at'],
  keeps: {
    begins_at: ['start_date', ...zonesOf(zone)],
    ends_at: ['expiry_date', ...zonesOf(zone)],
    status: ['begins_at', 'ends_at'],
  },
  moves: [
    { from: ['scheduled_for_activation'], to: 'active', when: 'it is saved with a start date that has come' },
    { from: ['active', 'scheduled_for_activation'], to: 'expired', when: 'it is saved with an expiry date in the past' },
  ],
  async fill({ accountZone, call, next }) {
    const own = zone === null ? null : next[zone]
    const inZone = zoneOf(String(own ?? (await accountZone()))) ?? 'UTC'
    const begins = startOf(next['start_date'], inZone)
    const ends = startOf(dayAfter(next['expiry_date']), inZone)
    next['begins_at'] = begins
    next['ends_at'] = ends
    next['status'] = statusAt(call.now, next['status'] ?? null, begins, ends)
  },
}))

function zonesOf(zone: string | null): readonly string[] {
  return zone === null ? ['account.time_zone'] : [zone, 'account.time_zone']
}

/** The status at a time; the dates move only agreements that are active, or scheduled for activation. */
export function statusAt(now: Instant, status: Json, begins: Instant | null, ends: Instant | null): Json {
  if (status !== 'active' && status !== 'scheduled_for_activation') return status
  if (ends !== null && ends <= now) return 'expired'
  return begins !== null && begins <= now ? 'active' : status
}

function startOf(date: Json | undefined, zone: string): Instant | null {
  return typeof date === 'string' ? parseInstant(date, zone) : null
}

function dayAfter(date: Json | undefined): Json {
  const time = typeof date === 'string' ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time + 86_400_000).toISOString().slice(0, 10)
}
