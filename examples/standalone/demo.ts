/** `npm run demo`: from a file of people to the deliveries of a webhook receiver. Runs unattended and ends by itself. */
import { randomBytes } from 'node:crypto'
import { explain } from './advice.js'
import { createClient } from './client.js'
import { findPlace, type Place } from './demo-place.js'
import { importPeople, registerWebhooks, showArrived, workOnRequests } from './demo-steps.js'
import { startReceiver } from './receiver.js'
import { bold, say, seconds } from './screen.js'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

/** Steps of the cleanup, to run in reverse order; also after a failure or an interrupt. */
const undo: (() => Promise<unknown>)[] = []
try {
  await demonstrate()
} catch (error) {
  if (interrupt.signal.aborted) say('\nInterrupted; cleaning up.')
  else console.error(explain(error))
  process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step().catch(() => {})
}

async function demonstrate(): Promise<void> {
  const begun = performance.now()
  say(`\n${bold('koa-itsm: a demo')}`)
  const place = await findPlace(undo)
  const api = createClient(place.baseUrl, place.token, interrupt.signal)
  const me = await api('GET', '/me')
  say(`The API is at ${bold(place.baseUrl)}, and you are ${me['name']}.`)

  const receiver = await startReceiver(randomBytes(16).toString('hex'))
  undo.push(receiver.close)
  const desk = { api, receiver, signal: interrupt.signal }
  await registerWebhooks(desk, undo)
  const imported = await importPeople(desk)
  const { requestId, events } = await workOnRequests(desk)
  await showArrived(desk, imported + events)
  for (const mail of place.mails) say(`\nThis mail would have been sent: ${mail}`)
  sayGoodbye(place, requestId, begun)
}

function sayGoodbye(place: Place, requestId: number, begun: number): void {
  say(`\n${bold('That was it')}, in ${seconds(begun)}.`)
  if (place.isOwn) {
    say('The desk of this demo stops now and leaves nothing behind. To start one that stays:\n')
    say('  npm start')
    say(
      '\nThen run `npm run demo` in another terminal to fill it. The README shows how to mount it into your own Koa server.\n',
    )
    return
  }
  const call = `curl -sw '\\n' -u ${place.token}:x`
  say('People and requests stay, the webhooks are removed. Continue with:\n')
  say(`  ${call} '${place.baseUrl}/requests/${requestId}'`)
  say(`  ${call} '${place.baseUrl}/requests/${requestId}/notes'`)
  say(`  ${call} '${place.baseUrl}/people?site=1&sort=name&per_page=5&fields=name,job_title,organization'\n`)
}
