/** `npm run demo`: from a file of people to the deliveries of a webhook receiver. Runs unattended and ends by itself. */
import { randomBytes } from 'node:crypto'
import { createClient } from './client.js'
import { importPeople, registerWebhooks, showArrived, workOnRequests } from './demo-steps.js'
import { type DemoTarget, findTarget } from './demo-target.js'
import { startReceiver } from './receiver.js'
import { bold, print, seconds } from './screen.js'
import { explain } from './startup-errors.js'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

/** Steps of the cleanup, to run in reverse order; also after a failure or an interrupt. */
const undo: (() => Promise<unknown>)[] = []
try {
  await demonstrate()
} catch (error) {
  if (interrupt.signal.aborted) print('\nInterrupted; cleaning up.')
  else console.error(explain(error))
  process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step().catch(() => {})
}

async function demonstrate(): Promise<void> {
  const begun = performance.now()
  print(`\n${bold('koa-itsm: a demo')}`)
  const target = await findTarget(undo)
  const api = createClient(target.baseUrl, target.token, interrupt.signal)
  const me = await api('GET', '/me')
  print(`The API is at ${bold(target.baseUrl)}, and you are ${me['name']}.`)

  const receiver = await startReceiver(randomBytes(16).toString('hex'))
  undo.push(receiver.close)
  const desk = { api, receiver, signal: interrupt.signal }
  await registerWebhooks(desk, undo)
  const imported = await importPeople(desk)
  const { requestId, events } = await workOnRequests(desk)
  await showArrived(desk, imported + events)
  for (const mail of target.mails) print(`\nThis mail would have been sent: ${mail}`)
  printEnd(target, requestId, begun)
}

function printEnd(target: DemoTarget, requestId: number, begun: number): void {
  print(`\n${bold('That was it')}, in ${seconds(begun)}.`)
  if (target.isOwn) {
    print('The desk of this demo stops now and leaves nothing behind. To start one that stays:\n')
    print('  npm start')
    print(
      '\nThen run `npm run demo` in another terminal to fill it. The README shows how to mount it into your own Koa server.\n',
    )
    return
  }
  const call = `curl -sw '\\n' -u ${target.token}:x`
  print('People and requests stay, the webhooks are removed. Continue with:\n')
  print(`  ${call} '${target.baseUrl}/requests/${requestId}'`)
  print(`  ${call} '${target.baseUrl}/requests/${requestId}/notes'`)
  print(`  ${call} '${target.baseUrl}/people?site=1&sort=name&per_page=5&fields=name,job_title,organization'\n`)
}
