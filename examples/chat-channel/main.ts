/**
 * Tells a chat of new requests, by an incoming webhook of the chat (Slack, Mattermost and others take such bodies):
 *
 *   CHAT_URL=https://chat.example/hooks/… npx tsx -C koa-itsm-source examples/chat-channel/main.ts
 *
 * Queue, order, repeats and the log of deliveries are those of the plugin's own webhooks.
 */
import { createPlugin, defineChannel } from 'koa-itsm'

const chatUrl = process.env['CHAT_URL'] ?? 'http://127.0.0.1:4001/'

const chat = defineChannel('chat', {
  events: ['request.create', 'request.status-changed'],
  // One room per team; what has no team goes to all.
  targets: (messages) => messages.map((message) => ({ message, target: message.team?.name ?? 'general' })),
  async render({ name, recordId, status }, room, { read }) {
    const request = (await read('request', [recordId])).get(recordId)
    const verb = name === 'request.create' ? 'is new' : `is ${status}`
    return { channel: `#${room}`, text: `Request ${recordId} ${verb}: ${request?.['subject'] ?? '(removed)'}` }
  },
  async send(message, signal) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(chatUrl, { method: 'POST', headers, body: JSON.stringify(message), signal })
    if (answer.ok) return
    // A chat that is asked too often says when to come back.
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const error = new Error(`The chat answers ${answer.status}`)
    throw seconds > 0 ? Object.assign(error, { retryAt: new Date(Date.now() + seconds * 1000) }) : error
  },
  // A chat is of use today, not tomorrow.
  attempts: 5,
  waits: [5_000, 30_000, 120_000],
})

const itsm = createPlugin({
  baseUrl: 'http://127.0.0.1:3000/v1',
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  channels: [chat],
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })
await itsm.start()
const system = itsm.asSystem('example', 'acme')
const ines = await system.create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
const team = await system.create('team', { name: 'desk' })
const body = { subject: 'The printer is on fire', category: 'other', requested_by_id: ines.id, team_id: team.id } as const
await system.create('request', body)
console.log(`A request was created; the chat at ${chatUrl} is told`)
process.once('SIGTERM', () => void itsm.stop())
