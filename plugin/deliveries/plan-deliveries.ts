/** Turns events into messages, and messages into deliveries of all channels. Runs in the transaction of the relay. */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Catalog } from '../schema/catalog.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { insertDeliveries, rowOfDelivery } from '../storage/queues/delivery-rows.js'
import { addMessages } from '../storage/queues/messages.js'
import type { OutboxEvent } from '../storage/queues/outbox.js'
import type { Channel, Planned } from './channel.js'
import { withAssignees } from './with-assignees.js'

export interface PlanDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly channels: readonly Channel[]
  /** False: only events with a delivery become messages. */
  readonly keepsAll: boolean
}

/** Takes over events, and returns the channels that have deliveries of them. */
export type Plan = (db: Knex, events: readonly OutboxEvent[]) => Promise<ReadonlySet<string>>

export function createPlan(deps: PlanDeps): Plan {
  const { channels, clock, keepsAll, storage } = deps
  return async (db, events) => {
    const all = await withAssignees(deps, db, events)
    const planned: (readonly [channel: string, Planned])[] = []
    for (const { name, plan } of channels) for (const one of await plan(db, all)) planned.push([name, one])
    const wanted = new Set(planned.map(([, { event }]) => event))
    const numbers = await addMessages(db, storage, keepsAll ? all : all.filter((event) => wanted.has(event)))
    const now = timestampOf(clock.now())
    const rows = planned.map(([channel, one]) =>
      rowOfDelivery(channel, one, { message: numbers.get(one.event) ?? 0, event: one.event }, now),
    )
    await insertDeliveries(db, storage, rows)
    return new Set(planned.map(([channel]) => channel))
  }
}
