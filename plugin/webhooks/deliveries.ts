/** Webhook deliveries as the rest of the service uses them; puts the parts of this folder together. */
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
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
  /** Milliseconds after which the work of a process that died is taken over; default 30,000. */
  readonly claimFor?: number
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
  /** Deletes dropped messages, and claims of processes that died, that are older than 30 days; for a daily job. */
  forgetDropped(): Promise<number>
  /** Waits for tests and mails under way and ends connections. To be called when `deliverDue` has resolved. */
  close(): Promise<void>
}

const CLAIM_FOR = 30_000
const KEEP_DROPPED = 30 * 24 * 3600_000

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { clock, log, claimFor = CLAIM_FOR } = deps
  const requester = createRequester(deps)
  const notices = createFailureNotices(deps)
  const queue = createQueue(deps.storage, deps.randomId(), claimFor)
  const tests = createTests({ ...deps, requester, note: queue.noteTest })

  return {
    subscribed: createSubscribed(deps.storage),
    plan: createPlanner(deps),
    deliverDue: createDeliverer({ clock, log, queue, requester, notices, claimFor }),
    test: tests.start,
    async webhookChanged(db, id, { wasDisabled, isDisabled, to }) {
      if (to) await queue.move(id, receiverKey(to.accountId, to.uri), db)
      if (isDisabled && !wasDisabled) await queue.drop([id], db)
      if (!isDisabled && wasDisabled) await queue.healthy(id, db)
    },
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
}
