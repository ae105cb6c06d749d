/** The rows of tests: in the log like other deliveries, but sent by whoever was asked for them, once, and never again. */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'
import { inOwnTransaction } from '../../storage/database/own-transaction.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { DELIVERIES, type NewDelivery, rowOfDelivery, STATES, TEST_KEY } from '../../storage/queues/delivery-rows.js'
import { ATTEMPTS, rowsOfAttempts } from '../attempt-rows.js'
import type { Delivery, Outcome } from '../delivery.js'

/** A test that is about to be sent. */
export interface NewTest extends Omit<NewDelivery, 'key'> {
  readonly event: string
  readonly objectId: number
}

/** Stores a test in the transaction `db`, and returns its id. */
export async function addTest(db: Knex, storage: Storage, channel: string, test: NewTest, now: Date): Promise<number> {
  const { event, objectId, ...delivery } = test
  const row = rowOfDelivery(channel, { ...delivery, key: TEST_KEY }, null, timestampOf(now))
  // With a time at which it is over, so that it is deleted some day, whatever becomes of its process.
  const values = { ...row, event, object_id: objectId, state: STATES.testing, finished_at: timestampOf(now) }
  const [id] = await db(storage.table(DELIVERIES)).insert(values)
  return Number(id)
}

/** Stores how tests have ended that shared one attempt. */
export async function endTest(
  storage: Storage,
  channel: string,
  tests: readonly Pick<Delivery, 'id' | 'target'>[],
  ended: { readonly at: Date; readonly milliseconds: number; readonly outcome: Outcome },
): Promise<void> {
  const { at, outcome } = ended
  const [deliveries, attempts] = [storage.table(DELIVERIES), storage.table(ATTEMPTS)]
  const ids = tests.map(({ id }) => id)
  const state = outcome.ok ? STATES.sent : STATES.failed
  await inOwnTransaction(storage, async (db) => {
    const last_error = outcome.ok ? null : outcome.reason.slice(0, 255)
    await db(deliveries)
      .whereIn('id', ids)
      .update({ state, finished_at: timestampOf(at), last_error, attempts: outcome.ok ? 0 : 1 })
    // Under no target: tests do not count among its attempts.
    const rows = tests.map((test) => ({ ...ended, delivery: { ...test, target: TEST_KEY } as Delivery }))
    await db(attempts).insert([...rowsOfAttempts(channel, rows)])
  })
}

/** Ends tests whose process has died before they ended. */
export async function endTests(storage: Storage, before: Date): Promise<void> {
  await storage
    .knex(storage.table(DELIVERIES))
    .where({ state: STATES.testing })
    .where('finished_at', '<', timestampOf(before))
    .update({ state: STATES.failed, last_error: 'The process has ended before the answer' })
}
