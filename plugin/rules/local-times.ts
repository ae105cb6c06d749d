/** Times without a zone, which apply in the zone that a field of their record names (gaps 7.18). */
import { listNameOf, zoneOf } from '../core/words/time-zones.js'
import { momentFrom, writeMoment } from '../core/zoned-time.js'
import type { Rule } from '../schema/define-rule.js'

/** An empty time zone is that of the caller, else that of the account. */
export function fillWithTimeZone(field: string) {
  return { rule: 'fillWithTimeZone', field } as const
}

/** An empty time is what the clocks show now in the zone that the other field names. */
export function fillWithNow(field: string, settings: { readonly zone: string }) {
  return { rule: 'fillWithNow', field, ...settings } as const
}

/** Keeps the moment at which the clocks of the zone show the time, so that it can be compared with the present one. */
export function keepMoment(column: string, settings: { readonly of: string; readonly zone: string }) {
  return { rule: 'keepMoment', column, ...settings } as const
}

export const fillWithTimeZoneRule: Rule = {
  fields: (use) => [String(use['field'])],
  fills: (use) => [String(use['field'])],
  before({ call, next }, use) {
    next[String(use['field'])] ??= listNameOf(call.actor?.timeZone ?? call.account.timeZone) ?? 'UTC'
  },
}

export const fillWithNowRule: Rule = {
  fields: (use) => [String(use['field']), String(use['zone'])],
  fills: (use) => [String(use['field'])],
  before({ call, next }, use) {
    const zone = zoneOf(String(next[String(use['zone'])])) ?? 'UTC'
    next[String(use['field'])] ??= writeMoment(call.now, zone).slice(0, 'yyyy-mm-ddThh:mm'.length)
  },
}

export const keepMomentRule: Rule = {
  fields: (use) => [String(use['column']), String(use['of']), String(use['zone'])],
  before({ next }, use) {
    const time = next[String(use['of'])]
    const zone = zoneOf(String(next[String(use['zone'])])) ?? 'UTC'
    next[String(use['column'])] = typeof time === 'string' ? momentFrom(time, zone) : null
  },
}
