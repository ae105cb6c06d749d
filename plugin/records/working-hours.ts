/** The records whose stored values count in calendars, or in the time zone of their account (behaviour: Calendars; ADR 0044). */
import { renews } from '../rules/general/renews.js'
import { datetime } from '../schema/kinds/fields.js'
import type { Rule } from '../schema/language/define-rule.js'

/** Time of a change after which the record has to be computed again; empty if it is up to date. */
export const renewalMark = { renew_at: datetime({ readOnly: true, hidden: true }) }

/** Types that count in calendars, with the references that lead from their records to a calendar. */
const COUNTING = {
  affected_sla: ['support_hours', 'service_hours'],
  task: ['team.work_hours'],
  project: ['work_hours'],
} as const

/** Rules of calendars, their hours and holidays: a change renews all that count in the calendar. */
export function renewsHours(settings: Omit<Parameters<typeof renews>[1], 'of'>): readonly Rule<never>[] {
  return Object.entries(COUNTING).map(([type, of]) => renews(type, { ...settings, of }))
}
