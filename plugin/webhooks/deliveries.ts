/** Webhook deliveries as the rest of the service uses them; puts the parts of this folder together. */
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { Afterwards } from '../operations/deps.js'
import { WEBHOOK } from '../schema/built-in-types.js'
import type { OutboxEvent } from '../storage/outbox.js'
import { createDeliverer, type Delivered } from './deliver.js'
import { createFailureNotices, type FailureNoticesDeps } from './failure-notices.js'
import { createPlanner, type PlanDeps } from './plan.js'
import { createQueue } from './queue.js'
import { receiverKey } from './receiver-key.js'
import { createRequester, type RequesterDeps } from './safe-request.js'
import { createSubscribed, type Subscribed } from './subscribed.js'
import { createTests, type Tested } from './test-delivery.js'

export interface DeliveriesDeps extends PlanDeps, FailureNoticesDeps, RequesterDeps {
  /** A text that no other process or plugin has; names the owner of claims. */
  readonly randomId: () => string
  /** Milliseconds after which the work of a process that died is taken over. */
  readonly claimForMs: number
}

export interface WebhookChange {
  readonly wasDisabled: boolean
  /** Or removed. */
  readonly isDisabled: boolean
  /** Where it leads from now on. */
  readonly to?: { readonly accountId: string; readonly uri: string }
}

export interface Deliveries {
  /** Says without queuing anything whether a webhook may want one of the events. */
  readonly subscribed: Subscribed
  /** A receiver of the relay: queues deliveries in its transaction, and answers how many. */
  plan(db: Knex, events: readonly OutboxEvent[]): Promise<number>
  /**
   * Sends everything that is due. `next` is when to call it again at the latest, for retries and for work that another
   * process has claimed. Calling it while it runs makes it look once more. After `signal` no request is started.
   */
  deliverDue(signal?: AbortSignal): Promise<Delivered>
  /** Sends one test delivery in the background (spec, Webhook management); the webhook's `last_error` says how it ended. */
  test(webhook: Tested, call: Pick<Call, 'actor'>): void
  /**
   * To be called in the transaction that changes a webhook: disabling drops what is queued, enabling forgets the failures
   * (gaps 5.1 and 5.2), and with another address what is queued goes there. Without the call the messages of a disabled webhook
   * are dropped when they are due.
   */
  webhookChanged(db: Knex, id: number, change: WebhookChange): Promise<void>
  /** The same as work of the pipeline, by record type. */
  readonly afterwards: ReadonlyMap<string, Afterwards>
  /** Deletes dropped messages, and claims of processes that died, that are older than 30 days; for a daily job. */
  forgetDropped(): Promise<number>
  /** Waits for tests and mails under way and ends connections. To be called when `deliverDue` has resolved. */
  close(): Promise<void>
}

const KEEP_DROPPED = 30 * 24 * 3600_000

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { clock, log, claimForMs } = deps
  const requester = createRequester(deps)
  const notices = createFailureNotices(deps)
  const queue = createQueue(deps.storage, deps.randomId(), claimForMs)
  const tests = createTests({ ...deps, requester, note: queue.noteTest })

  return {
    subscribed: createSubscribed(deps.storage),
    plan: createPlanner(deps),
    deliverDue: createDeliverer({ clock, log, queue, requester, notices, claimForMs }),
    test: tests.start,
    webhookChanged,
    afterwards: new Map([[WEBHOOK, follow]]),
    async forgetDropped() {
      const before = new Date(clock.now().getTime() - KEEP_DROPPED)
      await queue.forgetClaims(before)
      return queue.forgetDropped(before)
    },
    async close() {
      await tests.close()
      await notices.finished()
      await requester.close()
    },
  }

  async function webhookChanged(db: Knex, id: number, { wasDisabled, isDisabled, to }: WebhookChange): Promise<void> {
    if (to) await queue.move(id, receiverKey(to.accountId, to.uri), db)
    if (isDisabled && !wasDisabled) await queue.drop([id], db)
    if (!isDisabled && wasDisabled) await queue.healthy(id, db)
  }

  /** A webhook that is disabled or removed drops what is queued for it; one that is enabled forgets its failures (gaps 5.1). */
  async function follow(...[db, before, after]: Parameters<Afterwards>): Promise<void> {
    if (!before) return
    const to = after && { accountId: String(after['account_id']), uri: String(after['uri']) }
    await webhookChanged(db, Number((after ?? before)['id']), {
      wasDisabled: before['disabled'] === true,
      isDisabled: after === null || after['disabled'] === true,
      ...(to && before['uri'] !== after['uri'] ? { to } : {}),
    })
  }
}
