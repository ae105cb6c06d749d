/** The channel of webhooks: where their deliveries lead, and how they are sent (spec, Events; behaviour: Delivery). */
import type { Knex } from 'knex'
import type { Log } from '../core/log.js'
import { remember } from '../core/remember.js'
import type { CarriedOver, Channel, OlderRow, Target } from '../deliveries/channel.js'
import type { Delivery } from '../deliveries/delivery.js'
import { nextTry, spread } from '../deliveries/retries.js'
import { SUBSCRIPTION } from '../schema/language/built-in-types.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import { reasonOf } from './delivery-faults.js'
import { createPaces, type Paces } from './pace.js'
import { escaped } from './payload.js'
import { createPlanner, keyOf, type PlanDeps } from './plan-messages.js'
import { EXTRAS_UNREADABLE, type Extras, type ReadExtras } from './read-extras.js'
import { receiverKey } from './receiver-key.js'
import { outgoingOf, type RenderDeps } from './render.js'
import type { Outgoing, Recipient, Send } from './sign.js'
import { createSubscribed } from './subscribed.js'
import { createWatchHealth, type WatchHealthDeps } from './watch-health.js'
import { concurrencyFor, FAILURES_TO_PROBE } from './webhook-health.js'
import { createWebhookLog } from './webhook-log.js'
import { readWebhooks, type WebhookRow } from './webhook-rows.js'

/** Name of the channel. */
export const WEBHOOKS = SUBSCRIPTION

export interface WebhookChannelDeps extends PlanDeps, WatchHealthDeps, RenderDeps {
  readonly log: Log
  readonly send: Send
  readonly readExtras: ReadExtras
  /** Header of all deliveries. */
  readonly userAgent: string
}

const AT_ONCE = 64
const AT_ONCE_PER_RECEIVER = 16

/** Creates the channel, without any I/O. A lane is a receiver: one or more webhooks of an account have its URL. */
export function createWebhookChannel(given: WebhookChannelDeps): Channel {
  const deps = { ...given, escapeUrl: remember(escaped) }
  const { clock, log, storage } = deps
  const paces = createPaces(clock)
  return {
    name: WEBHOOKS,
    leaseKind: 'receiver',
    atOnce: AT_ONCE,
    atOncePerLane: AT_ONCE_PER_RECEIVER,
    haltsAfter: FAILURES_TO_PROBE,
    older: { ...OLDER, carryOver: carriedOver },
    isWanted: createSubscribed(storage),
    plan: createPlanner(deps),
    meet: (targets, db = storage.knex) => meet(deps, db, targets, paces),
    prepare: (page, targets) => prepare(deps, page, targets),
    nextTry(attempt) {
      const next = nextTry(attempt)
      return next && spread(attempt, next)
    },
    acknowledge: createWatchHealth(deps),
    log: createWebhookLog(deps),
    failed({ delivery: { target } }, next) {
      if (!next) log.warn({ webhookId: Number(target) }, 'A delivery was dropped after its last attempt')
    },
    dropped(count, targets) {
      const webhooks = targets.map(Number)
      log.info({ dropped: count, webhooks }, 'Deliveries of disabled or deleted webhooks were dropped')
    },
  }
}

/** Disabled webhooks are missing. */
async function meet(
  deps: WebhookChannelDeps,
  db: Knex,
  targets: readonly string[],
  paces: Paces,
): Promise<ReadonlyMap<string, Target>> {
  const webhooks = await readWebhooks(deps.storage, db, targets.map(Number))
  const enabled = [...webhooks.values()].filter(({ disabled }) => !disabled)
  return new Map(
    enabled.map((webhook): [string, Target] => {
      const { sending, signing, uri } = webhook
      const to = { uri, signing, headers: sending.headers }
      const target = {
        lane: receiverKey(webhook.accountId, uri),
        atOnce: concurrencyFor(webhook.health),
        wants: webhook,
        send: (delivery: Delivery) => sendTo(deps, webhook, to, delivery, paces),
      }
      return [String(webhook.id), target]
    }),
  )
}

async function sendTo(deps: WebhookChannelDeps, webhook: WebhookRow, to: Recipient, delivery: Delivery, paces: Paces) {
  const extras = delivery.prepared as Extras | null | undefined
  if (extras === null) return { ok: false, reason: reasonOf(EXTRAS_UNREADABLE), fault: EXTRAS_UNREADABLE } as const
  const postponedUntil = paces.next(webhook.id, webhook.sending.maxPerMinute)
  if (postponedUntil) return { postponedUntil }
  return deps.send(to, outgoingOf(deps, webhook, delivery, extras))
}

/** The records and changes that deliveries of a page show. */
async function prepare(
  { readExtras }: WebhookChannelDeps,
  page: readonly Delivery[],
  targets: ReadonlyMap<string, Target | null>,
): Promise<readonly Delivery[]> {
  const asking = page.map(({ message, target }) => {
    const webhook = targets.get(target)?.wants as WebhookRow | undefined
    const payload = webhook?.sending.payload ?? 'reference'
    return message && webhook && payload !== 'reference' ? { accountId: webhook.accountId, payload, message } : null
  })
  if (asking.every((one) => one === null)) return page
  const extras = await readExtras(asking.flatMap((one) => one ?? []))
  let next = 0
  return page.map((delivery, index) => (asking[index] ? { ...delivery, prepared: extras[next++] } : delivery))
}

/** The rows of the version before. */
const OLDER = {
  table: 'deliveries',
  columns: ['webhook_id', 'account_id', 'receiver', 'event', 'object_id', 'body', 'link', 'attempts', 'last_error'],
  times: ['next_at', 'dropped_at'],
  laneColumn: 'receiver',
}

function carriedOver(row: OlderRow): NewDelivery & CarriedOver {
  const [event, objectId] = [String(row['event']), Number(row['object_id'])]
  const content: Outgoing = { id: `msg_${row['id']}`, link: String(row['link'] ?? ''), body: String(row['body']) }
  return {
    target: String(row['webhook_id']),
    accountId: String(row['account_id']),
    lane: String(row['receiver']),
    key: keyOf(event, objectId),
    content,
    ...{ event, objectId, attempts: Number(row['attempts']), nextAt: String(row['next_at']) },
    lastError: row['last_error'] === null ? null : String(row['last_error']),
    failedAt: row['dropped_at'] === null ? null : String(row['dropped_at']),
  }
}
