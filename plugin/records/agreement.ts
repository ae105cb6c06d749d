/**
 * Fields, values and rules that service level agreements, first line support agreements and contracts share (behaviour:
 * Enumeration values, Service level agreements, First line support agreements, Contracts).
 */
import { mustFollow } from '../rules/general/must-follow.js'
import { keepAgreementTimes } from '../rules/service-levels/agreement-dates.js'
import { date, datetime, oneOfList } from '../schema/kinds/fields.js'
import { type Condition, not } from '../schema/language/conditions.js'
import type { Rule } from '../schema/language/define-rule.js'
import { due, renewal, type Timer } from '../schema/language/define-timer.js'
import { renewalMark } from './working-hours.js'

const STATUSES = ['being_prepared', 'scheduled_for_activation', 'active', 'expired'] as const

/** The status of an agreement: one enumeration for all three types. */
export function agreementStatus() {
  return oneOfList('agreement.status', STATUSES, { default: 'being_prepared' })
}

/** Start and end of an agreement, and the date by which it has to be terminated or renewed. */
export const agreementDates = {
  start_date: date(),
  notice_date: date(),
  expiry_date: date(),
  // Start and end as timestamps, for the timers.
  begins_at: datetime({ readOnly: true, hidden: true }),
  ends_at: datetime({ readOnly: true, hidden: true }),
  ...renewalMark,
}

/**
 * The rules of these dates.
 *
 * @param zone the field with the time zone of the agreement; null if it has none
 */
export const agreementRules = (zone: string | null): readonly Rule<never>[] => [
  mustFollow('expiry_date', { after: 'notice_date', code: 'expiry_before_notice' }),
  keepAgreementTimes(zone),
]

/**
 * Agreements become active and expire by their dates, in a time zone.
 *
 * @param inAccountZone the agreements whose dates are those of their account's zone
 */
export const agreementTimers = (inAccountZone: Condition): readonly Timer[] => [
  due('begins_at', { while: { status: 'scheduled_for_activation' }, set: { status: 'active' } }),
  due('ends_at', { while: { status: ['active', 'scheduled_for_activation'] }, set: { status: 'expired' } }),
  renewal('renew_at', { while: { status: not('expired') }, inAccountZone }),
]

/** Predefined filters of agreements (behaviour: Predefined filters). */
export const AGREEMENT_LISTS = { active: { status: 'active' }, inactive: { status: not('active') } }
