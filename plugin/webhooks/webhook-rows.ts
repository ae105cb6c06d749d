/** Webhooks as deliveries need them. */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import type { Outcome } from '../deliveries/delivery.js'
import type { Storage } from '../storage/database/connections.js'
import { dateOfTimestamp } from '../storage/database/timestamps.js'
import type { Asking } from './matches.js'
import type { Signing } from './sign.js'
import { ASKING_COLUMNS, askingOf, SENDING_COLUMNS, type Sending, sendingOf } from './webhook-columns.js'
import { HEALTHY, type Health } from './webhook-health.js'

/** The columns of a webhook that a delivery needs. */
export interface WebhookRow {
  readonly id: number
  readonly accountId: string
  readonly name: string
  readonly event: string
  readonly uri: string
  readonly signing: Signing
  readonly sending: Sending
  readonly asking: Asking
  readonly mailExceptionsTo: string
  readonly disabled: boolean
  readonly health: Health
}

/** Maximum length of `last_error`. */
const MAX_ERROR_LENGTH = 255

/** Reads webhooks, disabled ones as well. Those that are gone are missing. */
export async function readWebhooks(
  storage: Storage,
  db: Knex,
  ids: readonly number[],
): Promise<ReadonlyMap<number, WebhookRow>> {
  const found = new Map<number, WebhookRow>()
  for (const some of chunksOf(ids, MAX_VALUES)) {
    const rows: WebhookColumns[] = await db({ w: storage.table('webhooks') })
      .leftJoin({ h: storage.table('webhook_health') }, 'h.webhook_id', 'w.id')
      .whereIn('w.id', [...some])
      .select('w.id', 'w.account_id', 'w.name', 'w.uri', 'w.mail_exceptions_to', 'h.failures')
      .select([...ASKING_COLUMNS, ...SENDING_COLUMNS].map((column) => `w.${column}`))
      .select('w.secret', 'w.previous_secret', 'w.previous_secret_until', 'h.failing_since')
    for (const row of rows) found.set(Number(row.id), webhookOf(row))
  }
  return found
}

/** A webhook as it is now; null if it is gone. */
export async function readWebhook(storage: Storage, id: number, db: Knex = storage.knex): Promise<WebhookRow | null> {
  return (await readWebhooks(storage, db, [id])).get(id) ?? null
}

/** Stores the result of a test, unless the URL of the webhook has changed since. Leaves no audit line. */
export async function noteTest(storage: Storage, { id, uri }: Pick<WebhookRow, 'id' | 'uri'>, outcome: Outcome): Promise<void> {
  await storage
    .knex(storage.table('webhooks'))
    .where({ id, uri })
    .update({ last_error: outcome.ok ? null : outcome.reason.slice(0, MAX_ERROR_LENGTH) })
}

/** The columns of `webhook_health`, the time as text. */
export interface HealthColumns {
  readonly failures: number | null
  readonly failing_since: string | null
}

/** The health in a row. */
export function healthOf(row: HealthColumns): Health {
  if (!row.failures || !row.failing_since) return HEALTHY
  return { failures: Number(row.failures), failingSince: dateOfTimestamp(row.failing_since) }
}

interface WebhookColumns
  extends HealthColumns,
    Record<(typeof SENDING_COLUMNS)[number] | (typeof ASKING_COLUMNS)[number], unknown> {
  readonly id: number | string
  readonly account_id: string
  readonly name: string | null
  readonly uri: string
  readonly mail_exceptions_to: string | null
  readonly secret: string | null
  readonly previous_secret: string | null
  readonly previous_secret_until: string | null
}

function webhookOf(row: WebhookColumns): WebhookRow {
  return {
    id: Number(row.id),
    accountId: row.account_id,
    name: row.name || String(row.event),
    event: String(row.event),
    uri: row.uri,
    signing: {
      secret: row.secret,
      previous: row.previous_secret,
      previousUntil: row.previous_secret_until === null ? null : dateOfTimestamp(row.previous_secret_until),
    },
    sending: sendingOf(row),
    asking: askingOf(row),
    mailExceptionsTo: row.mail_exceptions_to ?? '',
    disabled: Boolean(row.disabled),
    health: healthOf(row),
  }
}
