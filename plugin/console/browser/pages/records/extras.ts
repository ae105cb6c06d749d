/** What pages of some types show beside that of all records. */
import type { Loader } from '../../parts/lazy.js'
import type { ExtraProps } from '../page-props.js'

/** By record type, in the order in which they are shown. */
export const EXTRAS: Readonly<Record<string, readonly Loader<ExtraProps>[]>> = {
  person: [
    () => import('../people/person-roles.js').then(({ PersonRoles }) => PersonRoles),
    () => import('../people/person-credentials.js').then(({ PersonCredentials }) => PersonCredentials),
  ],
  webhook: [
    () => import('../webhooks/webhook-log.js').then(({ WebhookLog }) => WebhookLog),
    () => import('../webhooks/send-period-again.js').then(({ SendPeriodAgain }) => SendPeriodAgain),
    () => import('../webhooks/why-not-sent.js').then(({ WhyNotSent }) => WhyNotSent),
  ],
}
