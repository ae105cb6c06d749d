/** What service level agreements, first line support agreements and contracts have in common (gaps 2.3, 6.10, 6.12, 6.21). */
import { mustFollow } from '../rules/must-follow.js'
import { not } from '../schema/conditions.js'
import { date, oneOfList } from '../schema/fields.js'

const STATUSES = ['being_prepared', 'scheduled_for_activation', 'active', 'expired'] as const

/** The status of an agreement: one enumeration for all three types. */
export function agreementStatus() {
  return oneOfList('agreement.status', STATUSES, { default: 'being_prepared' })
}

/** From when and until when it holds, and when it has to be terminated or renewed. */
export const agreementDates = { start_date: date(), notice_date: date(), expiry_date: date() }

/** The rule of these dates. */
export const noticeBeforeExpiry = mustFollow('expiry_date', { after: 'notice_date', code: 'expiry_before_notice' })

/** Gaps 1.6: inactive is any status but active. */
export const AGREEMENT_LISTS = { active: { status: 'active' }, inactive: { status: not('active') } }
