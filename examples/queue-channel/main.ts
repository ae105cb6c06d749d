/**
 * Puts every event into a queue: NATS, SQS, Kafka. The host lends its own `publish`, so that the plugin needs no client of it:
 *
 *   npx tsx -C koa-itsm-source examples/queue-channel/main.ts
 *
 * Messages about one record are published in order, and each at least once. Consumers drop repeats by `id`.
 */
import { createPlugin, defineChannel } from 'koa-itsm'

/** What a client of a queue has: `js.publish(subject, bytes, { msgID })` of NATS, `SendMessage` of SQS, `producer.send` of Kafka. */
type Publish = (subject: string, body: string, id: string) => Promise<void>

function queueChannel(publish: Publish) {
  return defineChannel('queue', {
    targets: (messages) => messages.map((message) => ({ message, target: `itsm.${message.accountId}.${message.recordType}` })),
    render({ accountId, at, changes, name, person, recordId, sequence }, subject) {
      return {
        subject,
        id: `itsm-${sequence}`,
        body: JSON.stringify({ name, account: accountId, id: recordId, at, by: person, changes }),
      }
    },
    send: ({ body, id, subject }) => publish(subject, body, id),
    // A queue that is down is asked again soon, for a day.
    attempts: 300,
    waits: [1_000, 10_000, 60_000, 300_000],
  })
}

/** In the place of a real queue. */
const publish: Publish = async (subject, body, id) => console.log(`${subject} ${id} ${body}`)

const itsm = createPlugin({
  baseUrl: 'http://127.0.0.1:3000/v1',
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  channels: [queueChannel(publish)],
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })
await itsm.start()
const system = itsm.asSystem('example', 'acme')
const { id } = await system.create('site', { name: 'Plant' })
const person = await system.create('person', { name: 'Ines', primary_email: 'ines@acme.example', site_id: id })
await system.update('person', Number(person['id']), { name: 'Ines Álvarez' })
process.once('SIGTERM', () => void itsm.stop())
