/** What pages of some types show beside that of all records. */
import type { Loader } from '../../parts/lazy.js'
import type { ExtraProps } from '../page-props.js'

const PLAN: Loader<ExtraProps> = () => import('../plan/plan-section.js').then(({ PlanSection }) => PlanSection)

/** By record type, in the order in which they are shown. */
export const EXTRAS: Readonly<Record<string, readonly Loader<ExtraProps>[]>> = {
  affected_sla: [() => import('../times/sla-time-line.js').then(({ AffectedSla }) => AffectedSla)],
  calendar: [
    () => import('../times/calendar-week.js').then(({ CalendarWeek }) => CalendarWeek),
    () => import('../times/next-holidays.js').then(({ NextHolidays }) => NextHolidays),
    () => import('../times/duration-calculator.js').then(({ DurationCalculator }) => DurationCalculator),
  ],
  change: [PLAN],
  person: [
    () => import('../people/person-roles.js').then(({ PersonRoles }) => PersonRoles),
    () => import('../people/person-credentials.js').then(({ PersonCredentials }) => PersonCredentials),
  ],
  project: [PLAN],
  request: [() => import('../times/sla-time-line.js').then(({ SlaTimeLine }) => SlaTimeLine)],
  view: [() => import('./view-list.js').then(({ ViewList }) => ViewList)],
  webhook: [
    () => import('../webhooks/webhook-log.js').then(({ WebhookLog }) => WebhookLog),
    () => import('../webhooks/send-period-again.js').then(({ SendPeriodAgain }) => SendPeriodAgain),
    () => import('../webhooks/why-not-sent.js').then(({ WhyNotSent }) => WhyNotSent),
  ],
}
