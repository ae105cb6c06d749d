import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Outcome } from '../deliveries/delivery.js'
import { addTest, endTest } from '../deliveries/log/tests.js'
import type { Storage } from '../storage/database/connections.js'
import { receiverKey } from './receiver-key.js'
import { idOf, type RenderDeps, render, type Told } from './render.js'
import type { Outgoing, Send } from './sign.js'
import { sendingOf } from './webhook-columns.js'
import type { WebhookRow } from './webhook-rows.js'

/** Id of the record in a test delivery. It does not exist (spec, Webhook management). */
const TEST_OBJECT_ID = 12345
/** Of a webhook that was removed since. */
const UNKNOWN = { sending: sendingOf({}), signing: { secret: null, previous: null, previousUntil: null } }

/** Dependencies of tests. */
export interface TestDeps extends RenderDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly send: Send
  /** Name of the channel whose log has the tests. */
  readonly channel: string
  /** The webhook as it is now; null if it is gone. */
  readonly readWebhook: (id: number, db?: Knex) => Promise<WebhookRow | null>
  /** Stores the result of a test with its webhook. */
  readonly note: (webhook: Tested, outcome: Outcome) => Promise<void>
}

/** The facts of a webhook that a test needs. */
export type Tested = Pick<WebhookRow, 'id' | 'accountId' | 'name' | 'event' | 'uri'>

/** A test that is stored, but not sent yet. */
export interface Test {
  /** Id of its delivery. */
  readonly id: number
  /** To be called after the commit. Returns at once. */
  begin(): void
}

/** A test that waits for its turn. */
interface Waiting {
  readonly id: number
  readonly webhook: Tested
  readonly outgoing: Outgoing
}

/** Tests of webhooks. */
export interface Tests {
  /**
   * Stores a delivery without record data in the transaction `db`, also for a disabled webhook. When it has begun it is sent once:
   * it is not repeated or counted, and causes no mail. `last_error` of the webhook gets its result, null for success. While a test
   * is running, all further ones of the webhook share one attempt after it (behaviour: Webhook management).
   */
  add(db: Knex, webhook: Tested, call: Pick<Call, 'actor'>): Promise<Test>
  /** Starts no more tests, and resolves when the running ones have ended. */
  close(): Promise<void>
}

/** Creates the tests of webhooks. They run in the background, independently of other deliveries. */
export function createTests(deps: TestDeps): Tests {
  const { channel, clock, log, note, readWebhook, send, storage } = deps
  const underWay = new Map<number, Promise<void>>()
  const waiting = new Map<number, Waiting[]>()
  let isClosed = false

  return {
    async add(db, webhook, { actor }) {
      const { sending } = (await readWebhook(webhook.id, db)) ?? UNKNOWN
      const rendered = render(deps, { ...webhook, sending }, toldBy(webhook, actor, clock.now()))
      const delivery = {
        target: String(webhook.id),
        accountId: webhook.accountId,
        lane: receiverKey(webhook.accountId, webhook.uri),
      }
      const test = { ...delivery, event: webhook.event, objectId: TEST_OBJECT_ID, content: rendered }
      const id = await addTest(db, storage, channel, test, clock.now())
      return { id, begin: () => begin([{ id, webhook, outgoing: { id: idOf(id), ...rendered } }]) }
    },
    async close() {
      isClosed = true
      await Promise.all(underWay.values())
    },
  }

  function begin(tests: readonly Waiting[]): void {
    const { webhook } = tests.at(-1) ?? {}
    if (isClosed || !webhook) return
    if (underWay.has(webhook.id)) {
      waiting.set(webhook.id, [...(waiting.get(webhook.id) ?? []), ...tests])
      return
    }
    const test = run(webhook, tests)
      .catch((error) => log.error({ err: error, webhookId: webhook.id }, 'The result of a webhook test could not be stored'))
      .finally(() => {
        underWay.delete(webhook.id)
        const next = waiting.get(webhook.id) ?? []
        waiting.delete(webhook.id)
        begin(next)
      })
    underWay.set(webhook.id, test)
  }

  /** One attempt for all of these tests, as the last of them is. */
  async function run(webhook: Tested, tests: readonly Waiting[]): Promise<void> {
    const outgoing = tests.at(-1)?.outgoing
    if (!outgoing) return
    const { sending, signing } = (await readWebhook(webhook.id)) ?? UNKNOWN
    const begun = performance.now()
    const outcome = await send({ uri: webhook.uri, signing, headers: sending.headers }, outgoing)
    const rows = tests.map(({ id }) => ({ id, target: String(webhook.id) }))
    await endTest(storage, channel, rows, { at: clock.now(), milliseconds: performance.now() - begun, outcome })
    // Last: whoever waits for `last_error` then finds the delivery ended.
    await note(webhook, outcome)
  }
}

function toldBy(webhook: Tested, actor: Call['actor'], at: Date): Told {
  return {
    event: webhook.event,
    recordType: webhook.event.split('.')[0] ?? '',
    recordId: TEST_OBJECT_ID,
    personId: actor?.id ?? null,
    personName: actor?.name ?? '',
    auditLineId: null,
    snapshot: {},
    team: null,
    member: null,
    at,
  }
}
