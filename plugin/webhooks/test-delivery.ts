import type { Call } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Outcome } from '../deliveries/delivery.js'
import type { Send } from './sign.js'
import { type RenderDeps, render, type Told } from './webhook-channel.js'
import { sendingOf } from './webhook-columns.js'
import type { WebhookRow } from './webhook-rows.js'

/** Id of the record in a test delivery. It does not exist (spec, Webhook management). */
const TEST_OBJECT_ID = 12345
/** Of a webhook that was removed since. */
const UNKNOWN = { sending: sendingOf({}), signing: { secret: null, previous: null, previousUntil: null } }

export interface TestDeps extends RenderDeps {
  readonly log: Log
  readonly send: Send
  /** The webhook as it is now; null if it is gone. */
  readonly readWebhook: (id: number) => Promise<WebhookRow | null>
  readonly clock: Clock
  /** A text that no other process has. */
  readonly randomId: () => string
  /** Stores the result of a test. */
  readonly note: (webhook: Tested, outcome: Outcome) => Promise<void>
}

/** The facts of a webhook that a test needs. */
export type Tested = Pick<WebhookRow, 'id' | 'accountId' | 'name' | 'event' | 'uri'>

export interface Tests {
  /**
   * Sends one delivery without record data, also for a disabled webhook, and returns at once. It is not retried or counted, and
   * causes no mail. `last_error` of the webhook gets its result, null for success. While a test is running, all further calls
   * share one test after it (behaviour: Webhook management).
   */
  start(webhook: Tested, call: Pick<Call, 'actor'>): void
  /** Starts no more tests, and resolves when the running ones have ended. */
  close(): Promise<void>
}

/** Creates the tests of webhooks. They run in the background, independently of other deliveries. */
export function createTests(deps: TestDeps): Tests {
  const { log, note } = deps
  const underWay = new Map<number, Promise<void>>()
  const next = new Map<number, () => void>()
  let isClosed = false

  const tests: Tests = {
    start(webhook, call) {
      if (isClosed) return
      if (underWay.has(webhook.id)) {
        next.set(webhook.id, () => tests.start(webhook, call))
        return
      }
      const test = deliver(deps, webhook, call)
        .then((outcome) => note(webhook, outcome))
        .catch((error) => log.error({ err: error, webhookId: webhook.id }, 'The result of a webhook test could not be stored'))
        .finally(() => {
          underWay.delete(webhook.id)
          const again = next.get(webhook.id)
          next.delete(webhook.id)
          again?.()
        })
      underWay.set(webhook.id, test)
    },
    async close() {
      isClosed = true
      await Promise.all(underWay.values())
    },
  }
  return tests
}

async function deliver(deps: TestDeps, webhook: Tested, { actor }: Pick<Call, 'actor'>): Promise<Outcome> {
  const { clock, randomId, readWebhook, send } = deps
  const message: Told = {
    event: webhook.event,
    recordType: webhook.event.split('.')[0] ?? '',
    recordId: TEST_OBJECT_ID,
    personId: actor?.id ?? null,
    personName: actor?.name ?? '',
    auditLineId: null,
    snapshot: {},
    team: null,
    member: null,
    at: clock.now(),
  }
  const { sending, signing } = (await readWebhook(webhook.id)) ?? UNKNOWN
  const rendered = render(deps, { ...webhook, sending }, message)
  return send({ uri: webhook.uri, signing, headers: sending.headers }, { id: `msg_${randomId()}`, ...rendered })
}
