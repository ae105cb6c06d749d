/** Mails about failing webhooks (spec, Events, Delivery 6 and 7; behaviour: Webhook health). */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Attempt, Failure } from '../deliveries/delivery.js'
import type { Storage } from '../storage/database/connections.js'
import { addMails, type NewMail } from '../storage/queues/mail-queue.js'
import { readWebhooks, type WebhookRow } from './webhook-rows.js'

export type WebhookMail = 'webhook_exception' | 'webhook_warning' | 'webhook_disabled'

/** What the readers of a webhook are told. */
export interface Notice {
  readonly webhookId: number
  readonly mail: WebhookMail
  /** The last failure. */
  readonly attempt: Attempt<Failure>
}

/** Milliseconds between two mails about single failures of a webhook. */
export const BETWEEN_MAILS = 20 * 60_000

/** Queues the mails, in the transaction that stores the failures. */
export async function addFailureMails(
  { clock, storage }: { readonly storage: Storage; readonly clock: Clock },
  db: Knex,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const webhooks = await readWebhooks(
    storage,
    db,
    notices.map(({ webhookId }) => webhookId),
  )
  const mails = notices.flatMap((notice) => {
    const webhook = webhooks.get(notice.webhookId)
    return webhook ? [mailAbout(webhook, notice)] : []
  })
  await addMails(db, storage, mails, clock.now())
}

function mailAbout(webhook: WebhookRow, { attempt: { delivery, outcome }, mail }: Notice): NewMail {
  const addresses = webhook.mailExceptionsTo
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  const params = {
    webhook: webhook.name,
    id: webhook.id,
    account: webhook.accountId,
    uri: withoutSecrets(webhook.uri),
    event: delivery.event ?? '',
    object_id: delivery.objectId ?? 0,
    attempt: delivery.attempts + 1,
    error: outcome.fault ?? outcome.reason,
  }
  return { accountId: webhook.accountId, to: { addresses, about: `webhook/${webhook.id}` }, mail, params }
}

/** The URL without parts that may be secret: credentials and parameters. */
function withoutSecrets(uri: string): string {
  if (!URL.canParse(uri)) return '(invalid)'
  const { origin, pathname } = new URL(uri)
  return origin + pathname
}
