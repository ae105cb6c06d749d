/** Plans deliveries of events to subscribed webhooks. Runs in the transaction of the relay. */
import type { Knex } from 'knex'
import type { Planned } from '../deliveries/channel.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import type { Occurred } from '../storage/queues/messages.js'
import { createDecide, type DecideDeps, type Subscriber } from './kept-by.js'
import { receiverKey } from './receiver-key.js'
import { whereSubscribed } from './subscribes.js'
import { ASKING_COLUMNS, askingOf } from './webhook-columns.js'

/** Dependencies of the planner. */
export type PlanDeps = DecideDeps

interface SubscriberRow extends Record<(typeof ASKING_COLUMNS)[number], unknown> {
  readonly id: number | string
  readonly account_id: string
  readonly uri: string
}

/** Creates a function that plans one delivery per event and matching enabled webhook. */
export function createPlanner(deps: PlanDeps): (db: Knex, events: readonly Occurred[]) => Promise<readonly Planned[]> {
  const { storage, visibleIn } = deps
  const decide = createDecide(deps)
  return async (db, events) => {
    if (events.length === 0) return []
    const subscribers = await readSubscribers(db, events)
    if (subscribers.length === 0) return []
    const decided = await decide(db, events, subscribers)
    const places = subscribers.map((one) => ({ one, place: placeOf(one) }))
    return events.flatMap((event) =>
      places
        .filter(({ one }) => decided(one, event) === null)
        .map(({ place }) => ({ ...place, key: keyOf(event.event, event.recordId), event })),
    )
  }

  /**
   * Finds enabled webhooks of the accounts of the records, of accounts with a trust relation, and of accounts that these
   * accounts have as directory. Nothing is queued for disabled webhooks (behaviour: Events).
   */
  async function readSubscribers(db: Knex, events: readonly Occurred[]): Promise<readonly Subscriber[]> {
    const names = events.map(({ event }) => event)
    const holders = [...new Set(events.map(({ accountId }) => accountId))]
    const [webhooks, trusts, accounts] = [storage.table('webhooks'), storage.table('trusts'), storage.table('accounts')]
    const enabled = () =>
      db({ w: webhooks })
        .where((one) => whereSubscribed(one, names, 'w'))
        .where((one) => one.where('w.disabled', false).orWhereNull('w.disabled'))
        .select('w.id', 'w.account_id', 'w.uri', ...ASKING_COLUMNS.map((column) => `w.${column}`))
    const own = enabled().whereIn('w.account_id', holders)
    const related = [
      enabled().join({ t: trusts }, 't.trusted_account_id', 'w.account_id').whereIn('t.account_id', holders),
      enabled().join({ t: trusts }, 't.account_id', 'w.account_id').whereIn('t.trusted_account_id', holders),
      enabled().join({ a: accounts }, 'a.id', 'w.account_id').whereIn('a.directory_account_id', holders),
    ]
    // Each part of the union uses an index; conditions with OR would not.
    const rows: SubscriberRow[] = await (visibleIn ? own.union(related) : own)
    return rows
      .map((row) => ({ id: Number(row.id), accountId: row.account_id, uri: row.uri, asking: askingOf(row) }))
      .sort((one, other) => one.id - other.id)
  }
}

/** What all deliveries to a webhook have in common. */
export function placeOf({ accountId, id, uri }: Subscriber): Pick<NewDelivery, 'target' | 'accountId' | 'lane'> {
  return { target: String(id), accountId, lane: receiverKey(accountId, uri) }
}

/**
 * The key of deliveries about a record. They go to a receiver one after the other, whichever webhook they go through (behaviour:
 * Events).
 */
export function keyOf(event: string, recordId: number): string {
  return `${event.split('.')[0]}/${recordId}`
}
