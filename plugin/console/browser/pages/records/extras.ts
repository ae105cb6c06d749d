/** What pages of some types show beside that of all records. */
import type { Loader } from '../../parts/lazy.js'
import type { ExtraProps } from '../page-props.js'

/** By record type, in the order in which they are shown. */
export const EXTRAS: Readonly<Record<string, readonly Loader<ExtraProps>[]>> = {
  affected_sla: [() => import('../times/sla-time-line.js').then(({ AffectedSla }) => AffectedSla)],
  calendar: [
    () => import('../times/calendar-week.js').then(({ CalendarWeek }) => CalendarWeek),
    () => import('../times/next-holidays.js').then(({ NextHolidays }) => NextHolidays),
    () => import('../times/duration-calculator.js').then(({ DurationCalculator }) => DurationCalculator),
  ],
  request: [() => import('../times/sla-time-line.js').then(({ SlaTimeLine }) => SlaTimeLine)],
  webhook: [() => import('../webhooks/webhook-log.js').then(({ WebhookLog }) => WebhookLog)],
}
