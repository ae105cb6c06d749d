import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { addMails } from '../../plugin/storage/queues/mail-queue.js'
import { moduleUrl, NODE_FLAGS } from '../support/modules.js'
import { type Received, startReceiver } from '../support/receiver.js'
import { callOf, withWebhooks } from '../support/webhooks.js'

const CHILD = fileURLToPath(moduleUrl('spec/support/dispatch-in-child'))
const KILLS = 6
const EVENTS = 360
const RECORDS = 12
const [REPLAYED, FRESH] = [240, 60]

describe('a process that is killed while it relays and sends', () => {
  const world = withWebhooks({ file: true })
  const children = new Set<ChildProcess>()
  afterEach('ends processes that a failure has left', async () => {
    for (const child of children) await end(child)
    children.clear()
  })
  const startChild = (url: string, receiver: string) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, CHILD, url, receiver], { stdio: ['ignore', 'ignore', 'inherit'] })
    children.add(child)
    return child
  }

  it('loses nothing in any channel, keeps the order of each record, and repeats only with the same id', async () => {
    const receiver = await startReceiver()
    for (const path of ['one', 'two']) await world.addWebhook({ uri: `${receiver.url}/webhook/${path}` })
    const numbers = Array.from({ length: EVENTS }, (_, index) => index + 1)
    const recordOf = (number: number) => (number % RECORDS) + 1
    const writing = (async () => {
      for (let from = 0; from < EVENTS; from += 20) {
        const some = numbers.slice(from, from + 20)
        await world.addEvents(...some.map((number) => ({ recordId: recordOf(number), personName: `Order ${number}` })))
        const mails = some.map((number) => ({
          ...{ accountId: 'acme', to: { personId: recordOf(number) }, mail: 'desired_completion_set' as const },
          params: { id: 1, subject: `Order ${number}`, desired: 'soon' },
        }))
        await addMails(world.storage.knex, world.storage, mails, new Date())
        await sleep(60)
      }
    })()
    // Each run is cut off at another place.
    for (let kills = 0; kills < KILLS; kills += 1) {
      const child = startChild(world.url, receiver.url)
      const before = receiver.received.length
      while (receiver.received.length === before && child.exitCode === null) await sleep(5)
      await sleep(20 + 31 * kills)
      await end(child)
    }
    await writing
    let last = startChild(world.url, receiver.url)
    const streams = ['/webhook/one', '/webhook/two', '/listener', '/mail', '/chat']
    const wanted = EVENTS * 5 + EVENTS
    while (told(receiver.received, streams).size < wanted) {
      // One that gives up, because it gets no connection on a busy machine, is started again, as hosts do.
      if (last.exitCode !== null) last = startChild(world.url, receiver.url)
      await sleep(20)
    }
    await end(last)
    await receiver.close()

    for (const path of streams) {
      const own = receiver.received.filter((request) => request.path === path)
      for (let record = 1; record <= RECORDS; record += 1) {
        const about = own.filter(({ body }) => Number(body['object_id'] ?? body['record']) === record)
        const orders = about.map(orderOf)
        // A channel has two targets, each with an order of its own.
        const firsts = orders.filter((order, index) => orders.indexOf(order) === index)
        expect(firsts, `${path} ${record}`).to.deep.equal(firsts.toSorted((one, other) => one - other))
        expect(firsts, `${path} ${record}`).to.have.length(EVENTS / RECORDS)
      }
    }
    const ids = receiver.received
      .filter(({ path }) => path.startsWith('/webhook'))
      .map(({ body, headers, path }) => [headers['webhook-id'], `${path} ${body['person_name']}`] as const)
    expect(new Map(ids).size).to.equal(new Set(ids.map(([, message]) => message)).size)
    for (const table of ['messages', 'outbox'])
      expect(await world.rows(table), table).to.have.length(table === 'outbox' ? 0 : EVENTS)
    const sequences = (await world.rows('messages')).map(({ sequence }) => Number(sequence))
    expect(sequences).to.deep.equal(numbers)
  }).timeout(90_000)

  it('sends what is replayed, all of it, in order, before what is new, and with the ids that it had', async () => {
    const receiver = await startReceiver()
    const webhook = await world.addWebhook({ uri: `${receiver.url}/webhook/one` })
    world.clock.set(new Date().toISOString())
    const happen = (first: number, count: number) =>
      world.addEvents(
        ...Array.from({ length: count }, (_, index) => first + index).map((number) => ({
          recordId: (number % RECORDS) + 1,
          personName: `Order ${number}`,
        })),
      )
    const idsOf = (received: readonly Received[]) => new Set(received.map(({ headers }) => headers['webhook-id']))
    const arrived = async (received: () => readonly Received[], ids: number) => {
      let child = startChild(world.url, receiver.url)
      // What was sent and not acknowledged still waits.
      while (idsOf(received()).size < ids || (await world.waiting()).length > 0) {
        if (child.exitCode !== null) child = startChild(world.url, receiver.url)
        await sleep(20)
      }
      await end(child)
    }
    const all = () => receiver.received.filter(({ path }) => path === '/webhook/one')

    await happen(1, REPLAYED)
    await arrived(all, REPLAYED)
    const before = all().length
    const replayed = () => all().slice(before)
    world.clock.set(new Date(Date.now() + 1).toISOString())
    const place = { accountId: 'acme', channel: 'webhook', target: String(webhook) }
    const asked = { from: '2026-01-01T00:00:00Z', state: 'all' }
    const call = callOf(world.clock.now())
    expect(await world.deliveries().log.replay(call, place, asked)).to.deep.equal({ count: REPLAYED })
    await happen(REPLAYED + 1, FRESH)
    for (let kills = 0; kills < KILLS; kills += 1) {
      const child = startChild(world.url, receiver.url)
      const seen = receiver.received.length
      while (receiver.received.length === seen && child.exitCode === null && idsOf(replayed()).size < REPLAYED + FRESH) {
        await sleep(2)
      }
      await sleep(3 + 7 * kills)
      await end(child)
    }
    await arrived(replayed, REPLAYED + FRESH)
    await receiver.close()

    expect(idsOf(all()).size).to.equal(REPLAYED + FRESH)
    for (let record = 1; record <= RECORDS; record += 1) {
      const orders = replayed()
        .filter(({ body }) => Number(body['object_id']) === record)
        .map(orderOf)
      const firsts = orders.filter((order, index) => orders.indexOf(order) === index)
      expect(firsts, String(record)).to.deep.equal(firsts.toSorted((one, other) => one - other))
      expect(firsts, String(record)).to.have.length((REPLAYED + FRESH) / RECORDS)
    }
  }).timeout(90_000)
})

/** Number of the event in the order of its record. */
function orderOf({ body }: Received): number {
  return Number(body['order'] ?? body['person_name']?.split(' ').at(-1))
}

/** What has arrived, each thing once. The two targets of the channel get the same things. */
function told(received: readonly Received[], streams: readonly string[]): ReadonlySet<string> {
  const chats = new Map<string, number>()
  return new Set(
    received.flatMap(({ body, headers, path }) => {
      if (!streams.includes(path)) return []
      const name = `${path} ${body['id'] ?? headers['webhook-id']}`
      if (path !== '/chat') return [name]
      const times = (chats.get(name) ?? 0) + 1
      chats.set(name, times)
      return [`${name} ${Math.min(times, 2)}`]
    }),
  )
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
