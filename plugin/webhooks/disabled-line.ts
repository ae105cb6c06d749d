/** The audit line and the event of a webhook that the plugin disables itself. */
import type { Knex } from 'knex'
import { SUBSCRIPTION } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import type { NewEvent } from '../storage/queues/outbox.js'

/** The name of the event, which those who dispatch it are told. */
export const WEBHOOK_DISABLED = `${SUBSCRIPTION}.disabled`

/** Adds the line, in the transaction that disables the webhook. @param was its value before @returns the id of the line */
export async function addDisabledLine(
  storage: Storage,
  db: Knex,
  webhook: { id: number; accountId: string; was: unknown },
  at: Date,
): Promise<number> {
  const was = webhook.was === null || webhook.was === undefined ? null : Boolean(webhook.was)
  const [id] = await db(storage.table('audit_lines')).insert({
    account_id: webhook.accountId,
    owner_type: SUBSCRIPTION,
    owner_id: webhook.id,
    action: 'update',
    created_at: timestampOf(at).slice(0, 19),
    origin: 'job',
    source: 'system',
    cause: 'failing deliveries',
    changes: JSON.stringify({ disabled: [was, true] }),
  })
  return Number(id)
}

/** The event, which is one of the system. */
export function disabledEvent(
  { accountId, auditLineId, id }: { readonly id: number; readonly accountId: string; readonly auditLineId: number },
  at: Date,
): NewEvent {
  const nobody = { personId: null, personName: '', auditLineId }
  return { event: WEBHOOK_DISABLED, recordType: SUBSCRIPTION, recordId: id, accountId, ...nobody, snapshot: {}, at }
}
