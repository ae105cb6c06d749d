/**
 * Relays events and sends deliveries of all channels in the database of the first argument, in a separate process that a spec may
 * kill. Listener, mails and channel tell the receiver of the second argument.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../plugin/core/clock.js'
import { defineChannel } from '../../plugin/deliveries/define-channel.js'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { createListenerChannel } from '../../plugin/events/listeners.js'
import { listener } from '../../plugin/events/name-listeners.js'
import { createRelay } from '../../plugin/events/relay.js'
import { createMailChannel } from '../../plugin/mails/mails.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { createWebhooks } from '../../plugin/webhooks/webhooks.js'
import { keptLog, partsOf, settableClock } from './webhooks.js'

const [, , database = '', receiver = ''] = process.argv
const storage = openStorage({ url: database }, 'itsm_')
const log = keptLog()
const leases = createLeases({ storage, clock: systemClock, log, randomId: randomUUID })
const world = { storage, clock: settableClock('2000-01-01T00:00:00Z'), log, mails: [] }
/** Longer than a busy machine stands still: what fails is repeated after a minute. */
const timeoutMs = 30_000
const parts = { ...partsOf(world), clock: systemClock, leases, takeOverAfterMs: 500, timeoutMs }

async function tell(path: string, values: Record<string, string | number>): Promise<void> {
  const body = new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]))
  await fetch(`${receiver}/${path}`, { method: 'POST', body })
}

const pager = listener('pager', ({ id, recordId }) => tell('listener', { id, record: recordId, order: id }))
const chat = defineChannel('chat', {
  targets: (messages) => messages.flatMap((message) => ['chat/one', 'chat/two'].map((target) => ({ message, target }))),
  render: ({ recordId, sequence }) => ({ id: sequence, record: recordId, order: sequence }),
  send: (values) => tell('chat', values),
  timeoutMs,
})
const mails = createMailChannel({
  ...parts,
  sendMail: ({ to: [reader = ''], subject }) =>
    tell('mail', { id: subject, record: reader, order: subject.split(' ').at(-1) ?? 0 }),
  people: { find: async ({ id }) => ({ email: String(id), locale: null, timeZone: null }) },
})
const channels = [createWebhooks(parts).channel, createListenerChannel({ log, on: { 'request.create': [pager] } }), mails]
const queries = createQueries(storage, parts.catalog)
const deliveries = createDeliveries({ ...parts, channels, host: { queries, channels: [chat] } })
const relay = createRelay({ storage, leases, log, receivers: [deliveries.plan], lastsMs: 500, batchSize: 20 })

for (;;) {
  await Promise.all([relay.run(), ...deliveries.channels.map((channel) => deliveries.deliverDue(channel))])
  await sleep(5)
}
