/** Entry point of this folder: webhook deliveries as the rest of the plugin uses them. */
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { AfterWrite } from '../operations/save/save-deps.js'
import { WEBHOOK } from '../schema/language/built-in-types.js'
import type { Leases } from '../storage/queues/leases.js'
import type { OutboxEvent } from '../storage/queues/outbox.js'
import { createDeliverer, type Delivered } from './deliver.js'
import { createFailureMails, type FailureMailsDeps } from './failure-mails.js'
import { purgePauses } from './pauses.js'
import { createPlanner, type PlanDeps } from './plan-messages.js'
import { createQueue, RECEIVER_LEASE } from './queue.js'
import { receiverKey } from './receiver-key.js'
import { createRequester, type RequesterDeps } from './safe-request.js'
import { createSend, type SendDeps } from './sign.js'
import { createSubscribed, type Subscribed } from './subscribed.js'
import { createTests, type TestDeps, type Tested } from './test-delivery.js'

export interface DeliveriesDeps
  extends PlanDeps,
    FailureMailsDeps,
    RequesterDeps,
    Pick<SendDeps, 'fieldSeal'>,
    Pick<TestDeps, 'randomId'> {
  readonly leases: Leases
  /** Milliseconds after which the work of a process that died is taken over. */
  readonly takeOverAfterMs: number
  /** To be called after a commit, with the names of its events. */
  wakeDispatch(events: readonly string[]): void
}

export interface WebhookChange {
  readonly wasDisabled: boolean
  /** True for a removed webhook, too. */
  readonly isDisabled: boolean
  /** The new account and URL. */
  readonly to?: { readonly accountId: string; readonly uri: string }
}

export interface Deliveries {
  /** Returns true if a webhook may subscribe to one of the events. Queues nothing. */
  readonly subscribed: Subscribed
  /** Queues deliveries in the transaction of the relay, and returns their number. */
  plan(db: Knex, events: readonly OutboxEvent[]): Promise<number>
  /**
   * Sends all due deliveries. `next` is the latest time to call it again, for retries and for work that another process has
   * the lease for. If it is called while it runs, it searches again. After `signal` it starts no request.
   */
  deliverDue(signal?: AbortSignal): Promise<Delivered>
  /**
   * Sends one test delivery in the background and stores its result in `last_error` of the webhook (spec, Webhook management).
   */
  test(webhook: Tested, call: Pick<Call, 'actor'>): void
  /**
   * To be called in the transaction that changes a webhook. Disabling drops its queued deliveries, enabling resets its
   * failures, and with another URL queued deliveries go there. Without the call, deliveries of a disabled webhook are dropped
   * when they are due (behaviour: Webhook management, Webhook events).
   */
  webhookChanged(db: Knex, id: number, change: WebhookChange): Promise<void>
  /** Work of the pipeline that follows changes of webhooks as `webhookChanged` does, by record type. */
  readonly afterWrite: ReadonlyMap<string, AfterWrite>
  /** Deletes dropped deliveries after 30 days, and pauses of receivers that are over; for a daily job. */
  purgeDropped(): Promise<number>
  /** Waits for running tests and mails, and closes connections. To be called when `deliverDue` has resolved. */
  close(): Promise<void>
}

const KEEP_DROPPED = 30 * 24 * 3600_000

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { clock, log, leases, takeOverAfterMs: lastsMs, wakeDispatch } = deps
  const requester = createRequester(deps)
  const failureMails = createFailureMails(deps)
  const queue = createQueue(deps.storage, leases.holder(RECEIVER_LEASE, lastsMs), wakeDispatch)
  const send = createSend({ ...deps, requester })
  const tests = createTests({ ...deps, send, signingOf: queue.signingOf, note: queue.noteTest })

  return {
    subscribed: createSubscribed(deps.storage),
    plan: createPlanner(deps),
    deliverDue: createDeliverer({ clock, log, queue, send, failureMails, lastsMs }),
    test: tests.start,
    webhookChanged,
    afterWrite: new Map([[WEBHOOK, follow]]),
    async purgeDropped() {
      await purgePauses(deps.storage, clock.now())
      return queue.purgeDropped(new Date(clock.now().getTime() - KEEP_DROPPED))
    },
    async close() {
      await tests.close()
      await failureMails.finished()
      await requester.close()
    },
  }

  async function webhookChanged(db: Knex, id: number, { wasDisabled, isDisabled, to }: WebhookChange): Promise<void> {
    if (to) await queue.move(id, receiverKey(to.accountId, to.uri), db)
    if (isDisabled && !wasDisabled) await queue.drop([id], db)
    if (!isDisabled && wasDisabled) await queue.healthy(id, db)
  }

  /**
   * A webhook that is disabled or removed drops what is queued for it; one that is enabled forgets its failures
   * (behaviour: Webhook management).
   */
  async function follow(...[db, before, after]: Parameters<AfterWrite>): Promise<void> {
    if (!before) return
    const to = after && { accountId: String(after['account_id']), uri: String(after['uri']) }
    await webhookChanged(db, Number((after ?? before)['id']), {
      wasDisabled: before['disabled'] === true,
      isDisabled: after === null || after['disabled'] === true,
      ...(to && before['uri'] !== after['uri'] ? { to } : {}),
    })
  }
}
