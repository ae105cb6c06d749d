/** Why a webhook was told of an event, or was not: decided like deliveries are (ADR 65). */
import type { Call } from '../core/call.js'
import { type Instant, instantOf } from '../core/clock.js'
import { NotFound } from '../core/errors.js'
import type { Json } from '../schema/language/field.js'
import { dbOf } from '../storage/database/transaction.js'
import { DELIVERIES } from '../storage/queues/delivery-rows.js'
import { findNewestMessage } from '../storage/queues/messages.js'
import { accountsHeard, createDecide, type DecideDeps, type KeptBy } from './kept-by.js'
import { readWebhooks } from './webhook-rows.js'

/** What is said about an event and a webhook, as of now. */
export interface Why {
  readonly matched: boolean
  /** What keeps the event from the webhook; null if it matches. */
  readonly reason: KeptBy | null
  /** What the webhook asks for, and the value that it met; null unless that is the reason. */
  readonly term: string | null
  readonly met: Json
  /** When the event occurred. */
  readonly occurred_at: Instant
  /** The delivery that it had; null without one. */
  readonly delivery_id: number | null
}

/**
 * Explains the newest message of an event and a record, as the webhook is now.
 *
 * @throws NotFound if no such message is kept, and for messages of accounts that this one has no relation with
 */
export async function explain(
  deps: DecideDeps,
  call: Call,
  channel: string,
  webhookId: number,
  asked: { readonly event: string; readonly objectId: number },
): Promise<Why> {
  const { storage } = deps
  const db = dbOf(storage, call)
  const webhook = (await readWebhooks(storage, db, [webhookId])).get(webhookId)
  if (!webhook) throw new NotFound()
  const accounts = await accountsHeard(deps, db, webhook.accountId)
  const message = await findNewestMessage(db, storage, asked.event, asked.objectId, accounts)
  if (!message) throw new NotFound()
  const kept = (await createDecide(deps)(db, [message], [webhook]))(webhook, message)
  const row = await db(storage.table(DELIVERIES))
    .where({ message: message.sequence, channel, target: String(webhookId) })
    .first('id')
  const delivery_id = row ? Number(row.id) : null
  const { by: reason, met, term } = kept ?? { by: null, met: null, term: null }
  return { matched: reason === null, reason, term, met, occurred_at: instantOf(message.at), delivery_id }
}
