/** The steps of the demo, in order. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Answer, Client } from './client.js'
import { PROBLEMS } from './problems.js'
import type { Receiver } from './receiver.js'
import { bar, count, dim, print, progressLine, seconds, table, title } from './screen.js'

export interface Desk {
  readonly api: Client
  readonly receiver: Receiver
  readonly signal: AbortSignal
}

const EVENTS = ['person.create', 'request.create', 'request.note-added', 'request.status-changed']
const REQUESTS = 24
/** Milliseconds. */
const POLL_EVERY = 250
const WAIT_FOR_MORE = 15_000

export async function registerWebhooks({ api, receiver }: Desk, undo: (() => Promise<unknown>)[]): Promise<void> {
  title('1  Webhooks: registering a local receiver for')
  for (const event of EVENTS) {
    const webhook = await api('POST', '/webhooks', { event, uri: receiver.uri, name: `Demo: ${event}` })
    undo.push(() => api('DELETE', `/webhooks/${webhook['id']}`))
    print(`  ${event}`)
  }
}

/** Returns the number of new people. */
export async function importPeople({ api, receiver, signal }: Desk): Promise<number> {
  const path = process.env['DEMO_CSV'] || fileURLToPath(new URL('../../fixtures/imports/people/demo-2000.csv', import.meta.url))
  const file = await readFile(path)
  const lines = file.toString().trimEnd().split('\n').length
  title(`2  Import: ${count(lines - 1)} people from ${basename(path)}`)
  const form = new FormData()
  form.set('type', 'people')
  form.set('file', new Blob([file]), basename(path))
  const begun = performance.now()
  const { token } = await api('POST', '/import', form)

  const progress = progressLine()
  let now = await api('GET', `/import/${token}`)
  while (now['state'] === 'queued' || now['state'] === 'processing') {
    const line = Number(now['line'] ?? 0)
    const arrived = `${count(receiver.deliveries.length)} webhooks`
    const place = line === 0 ? String(now['state']) : `line ${count(line)} of ${count(lines)}`
    progress.show(`${bar(line / lines)}  ${place}  ${arrived}  ${seconds(begun)}`)
    await sleep(POLL_EVERY, undefined, { signal })
    now = await api('GET', `/import/${token}`)
  }
  progress.end(`${bar(1)}  ${now['state']}  ${seconds(begun)}`)
  const results = (now['results'] ?? {}) as { readonly [outcome: string]: number }
  table(Object.entries(results).map(([outcome, number]) => [outcome, count(number)]))
  if (now['state'] === 'error') throw new Error(`The import stopped early: ${now['message']}`)
  if ((results['failures'] ?? 0) > 0) print(`Reasons for failed rows: ${now['logfile']}`)
  return results['created'] ?? 0
}

/** Creates requests for some of the people and works on them; returns the number of events that this causes. */
export async function workOnRequests({ api, signal }: Desk): Promise<{ requestId: number; events: number }> {
  title(`3  Requests: ${REQUESTS} people need something`)
  const people = await api<Answer[]>('GET', `/people?sort=-id&per_page=${REQUESTS}&fields=name,site`)
  const instances = await api<Answer[]>('GET', '/service_instances?status=in_production&sort=id')
  const begun = performance.now()
  const made: Answer[] = []
  const progress = progressLine()
  for (const [index, person] of people.entries()) {
    signal.throwIfAborted()
    const { about, ...problem } = PROBLEMS[index % PROBLEMS.length] ?? { about: 0 }
    const service_instance_id = instances[about % instances.length]?.['id']
    made.push(await api('POST', '/requests', { ...problem, service_instance_id, requested_by_id: person['id'] }))
    progress.show(`${bar(made.length / people.length)}  ${made.length} created`)
  }
  progress.end(`${bar(1)}  ${made.length} created  ${seconds(begun)}`)
  for (const request of made.slice(0, 3)) {
    print(
      `  ${dim(`#${request['id']}`)} ${request['subject']} ${dim(`for ${nameOf(request['requested_for'])}, goes to ${nameOf(request['team'])}`)}`,
    )
  }
  print(dim(`  … and ${made.length - 3} more`))

  // One third gets into progress, one third is solved, and the rest waits.
  const third = Math.floor(made.length / 3)
  for (const [index, { id }] of made.slice(0, 2 * third).entries()) {
    signal.throwIfAborted()
    const step = index < third ? { status: 'in_progress' } : { status: 'completed', completion_reason: 'solved' }
    await api('PATCH', `/requests/${id}`, {
      ...step,
      note: index < third ? 'We are looking at it.' : 'This should be better now.',
    })
  }
  print(`${third} are in progress and ${third} solved, each with a note; this took ${seconds(begun)}.`)
  return { requestId: Number(made[0]?.['id'] ?? 1), events: made.length + 2 * 2 * third }
}

export async function showArrived({ receiver, signal }: Desk, expected: number): Promise<void> {
  title('4  What the webhook receiver got')
  const begun = performance.now()
  const progress = progressLine()
  let [seen, since] = [0, performance.now()]
  while (receiver.deliveries.length < expected && performance.now() - since < WAIT_FOR_MORE) {
    if (receiver.deliveries.length > seen) [seen, since] = [receiver.deliveries.length, performance.now()]
    progress.show(`${bar(seen / expected)}  ${count(seen)} of ${count(expected)}  ${seconds(begun)}`)
    await sleep(POLL_EVERY, undefined, { signal })
  }
  const arrived = receiver.deliveries.length
  progress.end(`${bar(arrived / Math.max(1, expected))}  ${count(arrived)} of ${count(expected)}  ${seconds(begun)}`)
  table(EVENTS.map((event) => [event, count(receiver.deliveries.filter((delivery) => delivery.event === event).length)]))

  const sample = receiver.deliveries.findLast(({ event }) => event === 'request.status-changed') ?? receiver.deliveries.at(-1)
  if (!sample) return
  print(`\nOne of them, decoded:\n`)
  const links = String(sample.headers['link'] ?? '').split(', ')
  table([
    ['Content-Type', String(sample.headers['content-type'])],
    ...links.map((link, index): [string, string] => [index === 0 ? 'Link' : '', link]),
    ['', ''],
    ...sample.parameters,
  ])
}

function nameOf(reference: unknown): string {
  return String((reference as { name?: unknown } | null)?.name ?? 'nobody')
}
