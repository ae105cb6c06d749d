/** Times without a zone, which apply in the zone in another field of their record (behaviour: Broadcasts). */
import { listNameOf, zoneOf } from '../../core/time/time-zones.js'
import { formatInstant, parseInstant } from '../../core/time/zoned-time.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

/** A time zone that the caller omits is that of the caller, else that of the account. Sending an empty one does not omit it. */
export const fillWithTimeZone = rule('fillWithTimeZone', <const N extends string>(field: N) => ({
  fields: [field],
  fills: [field],
  fill({ call, given, next }) {
    if (given.has(field)) return
    next[field] ??= listNameOf(call.actor?.timeZone ?? call.account.timeZone) ?? 'UTC'
  },
}))

/** A time that the caller omits becomes the current local time in the zone in the other field. */
export const fillWithNow = rule('fillWithNow', <const N extends string>(field: N, { zone }: { readonly zone: string }) => ({
  fields: [field, zone],
  fills: [field],
  fill({ call, given, next }) {
    if (given.has(field)) return
    next[field] ??= formatInstant(call.now, zoneNamed(next[zone])).slice(0, 'yyyy-mm-ddThh:mm'.length)
  },
}))

/** Stores the local time in the zone as a timestamp, so that it can be compared with the current time. */
export const keepInstant = rule('keepInstant', (column: string, settings: { readonly of: string; readonly zone: string }) => ({
  fields: [column, settings.of, settings.zone],
  keeps: { [column]: [settings.of, settings.zone] },
  fill({ next }) {
    const time = next[settings.of]
    next[column] = typeof time === 'string' ? parseInstant(time, zoneNamed(next[settings.zone])) : null
  },
}))

function zoneNamed(name: Json | undefined): string {
  return zoneOf(String(name)) ?? 'UTC'
}
