/**
 * Fields, values and rules that service level agreements, first line support agreements and contracts share (behaviour:
 * Enumeration values, Service level agreements, First line support agreements, Contracts).
 */
import { mustFollow } from '../rules/must-follow.js'
import { not } from '../schema/conditions.js'
import { date, oneOfList } from '../schema/fields.js'

const STATUSES = ['being_prepared', 'scheduled_for_activation', 'active', 'expired'] as const

/** The status of an agreement: one enumeration for all three types. */
export function agreementStatus() {
  return oneOfList('agreement.status', STATUSES, { default: 'being_prepared' })
}

/** Start and end of an agreement, and the date by which it has to be terminated or renewed. */
export const agreementDates = { start_date: date(), notice_date: date(), expiry_date: date() }

/** The rule of these dates. */
export const noticeBeforeExpiry = mustFollow('expiry_date', { after: 'notice_date', code: 'expiry_before_notice' })

/** Predefined filters of agreements (behaviour: Predefined filters). */
export const AGREEMENT_LISTS = { active: { status: 'active' }, inactive: { status: not('active') } }
