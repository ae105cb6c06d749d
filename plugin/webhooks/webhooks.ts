/** Entry point of this folder: webhooks as the rest of the plugin uses them. */
import type { Knex } from 'knex'
import { administratorsCall, type Call } from '../core/call.js'
import type { Channel } from '../deliveries/channel.js'
import { createTargets, type TargetsDeps } from '../deliveries/targets.js'
import type { AfterWrite } from '../operations/save/save-deps.js'
import { SUBSCRIPTION } from '../schema/language/built-in-types.js'
import { dbOf } from '../storage/database/transaction.js'
import { createReadExtras, type ExtrasDeps } from './read-extras.js'
import { receiverKey } from './receiver-key.js'
import { createRequester, type RequesterDeps } from './safe-request.js'
import { createSend, type SendDeps } from './sign.js'
import { createTests, type Tested, type Tests } from './test-delivery.js'
import { resetHealth } from './watch-health.js'
import { createWebhookChannel, WEBHOOKS, type WebhookChannelDeps } from './webhook-channel.js'
import { HEALTHY, type Health } from './webhook-health.js'
import { noteTest, readWebhook, readWebhooks } from './webhook-rows.js'
import { explain, type Why } from './why.js'

export interface WebhooksDeps
  extends Omit<WebhookChannelDeps, 'send' | 'readExtras'>,
    RequesterDeps,
    TargetsDeps,
    Pick<SendDeps, 'fieldSeal'>,
    Pick<ExtrasDeps, 'find'> {
  readonly callers: { pluginCall(reason: string, accountId: string): Promise<Call> }
}

export interface WebhookChange {
  readonly wasDisabled: boolean
  /** True for a removed webhook, too. */
  readonly isDisabled: boolean
  /** The new account and URL. */
  readonly to?: { readonly accountId: string; readonly uri: string }
}

export interface Webhooks {
  /** The channel of their deliveries. */
  readonly channel: Channel
  /** Adds a test delivery, whose result is stored with it and in `last_error` of the webhook (spec, Webhook management). */
  readonly test: (call: Call, webhook: Tested) => ReturnType<Tests['add']>
  /** Failures in a row of a webhook (behaviour: Webhook health). */
  health(call: Call, id: number): Promise<Health>
  /**
   * Says if the newest message of an event and a record is for a webhook, and otherwise what keeps it.
   *
   * @throws NotFound if no such message is kept
   */
  why(call: Call, id: number, asked: { readonly event: string; readonly objectId: number }): Promise<Why>
  /**
   * To be called in the transaction that changes a webhook. Disabling drops its queued deliveries, enabling resets its
   * failures, and with another URL queued deliveries go there. Without the call, deliveries of a disabled webhook are dropped
   * when they are due (behaviour: Webhook management, Events).
   */
  webhookChanged(db: Knex, id: number, change: WebhookChange): Promise<void>
  /** Work of the pipeline that follows changes of webhooks as `webhookChanged` does, by record type. */
  readonly afterWrite: ReadonlyMap<string, AfterWrite>
  /** Waits for running tests, and closes connections. To be called when nothing is being delivered any more. */
  close(): Promise<void>
}

/** Creates the webhooks, without any I/O. */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { storage } = deps
  const requester = createRequester(deps)
  const send = createSend({ ...deps, requester })
  const readExtras = createReadExtras({
    ...deps,
    administratorsCall: async (id) => administratorsCall(await deps.callers.pluginCall('deliveries of webhooks', id)),
  })
  const targets = createTargets(deps, WEBHOOKS)
  const tests = createTests({
    ...deps,
    channel: WEBHOOKS,
    send,
    readWebhook: (id, db) => readWebhook(storage, id, db),
    note: (webhook, outcome) => noteTest(storage, webhook, outcome),
  })

  return {
    channel: createWebhookChannel({ ...deps, readExtras, send }),
    test: (call, webhook) => tests.add(dbOf(storage, call), webhook, call),
    health: async (call, id) => (await readWebhooks(storage, dbOf(storage, call), [id])).get(id)?.health ?? HEALTHY,
    why: (call, id, asked) => explain(deps, call, WEBHOOKS, id, asked),
    webhookChanged,
    afterWrite: new Map([[SUBSCRIPTION, follow]]),
    async close() {
      await tests.close()
      await requester.close()
    },
  }

  async function webhookChanged(db: Knex, id: number, { wasDisabled, isDisabled, to }: WebhookChange): Promise<void> {
    if (to) await targets.move(db, String(id), receiverKey(to.accountId, to.uri))
    if (isDisabled && !wasDisabled) await targets.drop(db, [String(id)])
    if (!isDisabled && wasDisabled) await resetHealth(storage, db, id)
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
