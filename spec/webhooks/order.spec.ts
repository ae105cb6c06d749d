import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { orderDeliveriesByReceiver } from '../../migrations/0019_order_deliveries_by_receiver.js'
import { createRelay } from '../../plugin/events/relay.js'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { withDatabase } from '../support/database.js'
import { type Answer, type Received, type Receiver, startReceiver } from '../support/receiver.js'
import { MINUTE, withWebhooks } from '../support/webhooks.js'

describe('the order of deliveries at one address', () => {
  const world = withWebhooks({ file: true })
  const receivers: Receiver[] = []

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
  })
  async function receiver(answer: (request: Received, index: number) => Answer | Promise<Answer> = () => 200) {
    const started = await startReceiver({ answer })
    receivers.push(started)
    return started
  }
  /** Puts events into the outbox and plans their deliveries. */
  async function happen(...events: readonly (readonly [event: string, recordId: number])[]): Promise<void> {
    await world.addEvents(...events.map(([event, recordId]) => ({ event, recordId })))
    const { plan } = world.deliveries()
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [plan] }).run()
  }
  const told = (received: readonly Received[], record: number) =>
    received.filter(({ body }) => body['object_id'] === String(record)).map(({ body }) => body['event'])

  it('is that of the events about one record, whichever webhooks they go through', async () => {
    // The later an event of a record, the sooner the answer: side by side they would overtake each other.
    const started = await receiver(async ({ body }) => {
      await sleep({ 'request.create': 12, 'request.update': 6 }[body['event'] ?? ''] ?? 0)
      return 200
    })
    // The webhook for the last event of a save is the oldest, so that nothing is in order by chance.
    for (const event of ['request.status-changed', 'request.note-added', 'request.update', 'request.create']) {
      await world.addWebhook({ uri: `${started.url}/hook`, event })
    }
    const events = ['request.create', 'request.update', 'request.note-added', 'request.status-changed']
    const records = Array.from({ length: 20 }, (_, index) => index + 1)
    await happen(...records.flatMap((record) => events.map((event) => [event, record] as const)))
    expect(await world.deliveries().deliverDue()).to.include({ delivered: 80, failed: 0 })
    for (const record of records) expect(told(started.received, record), `record ${record}`).to.deep.equal(events)
    // Records do not wait for each other.
    expect(started.mostAtOnce).to.be.within(2, 16)
  })

  it('does not depend on credentials and queries, which tell webhooks apart and not receivers', async () => {
    const started = await receiver(async ({ body }) => {
      await sleep(body['event'] === 'request.update' ? 30 : 0)
      return 200
    })
    await world.addWebhook({ uri: `${started.url.replace('//', '//a:b@')}/hook?secret=1`, event: 'request.status-changed' })
    await world.addWebhook({ uri: `${started.url}/hook?secret=2`, event: 'request.update' })
    await happen(['request.update', 1], ['request.status-changed', 1])
    await world.deliveries().deliverDue()
    expect(told(started.received, 1)).to.deep.equal(['request.update', 'request.status-changed'])
    expect(started.mostAtOnce).to.equal(1)
  })

  it('makes nobody wait at another address, or in another account', async () => {
    let release = () => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    const started = await receiver(async (_, index) => {
      if (index === 2) release()
      await both
      return 200
    })
    await world.addWebhook({ uri: `${started.url}/one` })
    await world.addWebhook({ uri: `${started.url}/two` })
    const other = await world.addWebhook({ uri: `${started.url}/one`, account_id: 'other' })
    await happen(['request.create', 1])
    const [row] = await world.waiting()
    const { body: _, ...columns } = row ?? {}
    const theirs = { target: String(other), account_id: 'other', lane: receiverKey('other', `${started.url}/one`) }
    await world.storage.knex(world.storage.table('channel_deliveries')).insert({ ...columns, id: 999, ...theirs })
    expect(await world.deliveries().deliverDue()).to.include({ delivered: 3 })
    expect(started.mostAtOnce).to.equal(3)
  })

  it('lets later events pass one that fails, and holds again when they are repeated, however they failed', async () => {
    let isUp = false
    const answers: Record<string, Answer> = { 'request.update': 500, 'request.note-added': 404, 'request.status-changed': 500 }
    const { url, received } = await receiver(({ body }) => (isUp ? 200 : (answers[body['event'] ?? ''] ?? 200)))
    for (const event of Object.keys(answers)) await world.addWebhook({ uri: url, event })
    // The first failure with the status 500 is about another record, and half a second earlier.
    world.clock.set('2026-11-21T09:00:00.200Z')
    await happen(
      ['request.update', 2],
      ['request.update', 1],
      ['request.note-added', 1],
      ['request.status-changed', 1],
      ['request.create', 1],
    )
    const { deliverDue } = world.deliveries()
    const times = ['09:00:00.300', '09:00:00.500', '09:00:00.600', '09:00:00.700']
    const running = deliverDue()
    for (const [index, time] of times.entries()) {
      while (received.length <= index) await sleep(1)
      world.clock.set(`2026-11-21T${time}Z`)
    }
    expect(await running).to.include({ failed: 4 })
    expect(told(received, 1)).to.deep.equal(['request.update', 'request.note-added', 'request.status-changed'])
    isUp = true
    received.length = 0
    world.clock.pass(1.1 * MINUTE + 1000)
    expect(await deliverDue()).to.include({ delivered: 4, failed: 0 })
    expect(told(received, 1)).to.deep.equal(['request.update', 'request.note-added', 'request.status-changed'])
  })

  it('holds when several processes deliver', async () => {
    const started = await receiver(async ({ body }) => {
      await sleep(body['event'] === 'request.update' ? 5 : 0)
      return 200
    })
    for (const event of ['request.status-changed', 'request.update']) await world.addWebhook({ uri: started.url, event })
    for (let round = 0; round < 5; round += 1) {
      await happen(['request.update', 1], ['request.status-changed', 1], ['request.update', 2], ['request.status-changed', 2])
    }
    await Promise.all([1, 2, 3].map(() => world.deliveries().deliverDue()))
    const pairs = Array.from({ length: 5 }, () => ['request.update', 'request.status-changed']).flat()
    for (const record of [1, 2]) expect(told(started.received, record)).to.deep.equal(pairs)
    expect(started.mostAtOnce).to.be.at.most(2)
  })

  it('is kept by what goes to a webhook alone: another one at its address that is disabled loses only its own', async () => {
    const { url, received } = await receiver()
    const [first, second] = [
      await world.addWebhook({ uri: url, event: 'request.update' }),
      await world.addWebhook({ uri: url, event: 'request.status-changed' }),
    ]
    await happen(['request.update', 1], ['request.status-changed', 1], ['request.update', 2], ['request.status-changed', 2])
    await world.storage.knex(world.storage.table('webhooks')).where({ id: first }).update({ disabled: true })
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
    expect(received.map(({ body }) => [Number(body['webhook_id']), body['object_id']])).to.deep.equal([
      [second, '1'],
      [second, '2'],
    ])
    expect(await world.waiting()).to.deep.equal([])
  })

  it('slows a receiver down only when all of its webhooks fail', async () => {
    const started = await receiver(async ({ body }) => {
      await sleep(2)
      return body['event'] === 'request.update' ? 500 : 200
    })
    for (const event of ['request.update', 'request.create']) await world.addWebhook({ uri: started.url, event })
    await happen(...Array.from({ length: 10 }, (_, index) => ['request.update', index + 1] as const))
    const { deliverDue } = world.deliveries()
    await deliverDue()
    await happen(...Array.from({ length: 60 }, (_, index) => ['request.create', 100 + index] as const))
    await deliverDue()
    expect(started.mostAtOnce).to.be.above(2)
  })

  it('moves with a webhook to another address', async () => {
    const { url, received } = await receiver()
    const id = await world.addWebhook({ uri: 'http://127.0.0.1:9/' })
    await happen(['request.create', 1])
    await world.storage.knex(world.storage.table('webhooks')).where({ id }).update({ uri: url })
    const { webhookChanged, deliverDue } = world.deliveries()
    const to = { accountId: 'acme', uri: url }
    await webhookChanged(world.storage.knex, id, { wasDisabled: false, isDisabled: false, to })
    expect(await world.waiting()).to.have.nested.property('[0].lane', receiverKey('acme', url))
    expect(await deliverDue()).to.include({ delivered: 1 })
    expect(received).to.have.length(1)
  })

  it('moves with a webhook while deliveries are under way: each arrives at the new address once, in order', async () => {
    const slow = async () => {
      await sleep(30)
      return 200
    }
    const [old, next] = [await receiver(slow), await receiver(slow)]
    const id = await world.addWebhook({ uri: old.url })
    for (let number = 1; number <= 40; number += 1) await world.queue(id, 1, { object_id: 1, body: `number=${number}` })
    const { webhookChanged, deliverDue } = world.deliveries({ takeOverAfterMs: 150 })
    const running = deliverDue()
    await old.gets(2)
    await world.storage.knex(world.storage.table('webhooks')).where({ id }).update({ uri: next.url })
    const to = { accountId: 'acme', uri: next.url }
    await webhookChanged(world.storage.knex, id, { wasDisabled: false, isDisabled: false, to })
    await running
    const numbers = next.received.map(({ body }) => Number(body['number']))
    expect(numbers.length).to.be.above(20)
    expect(numbers).to.deep.equal(Array.from({ length: numbers.length }, (_, index) => 41 - numbers.length + index))
    expect(next.mostAtOnce).to.equal(1)
    expect(await world.waiting()).to.deep.equal([])
  }).timeout(10_000)

  it('takes in what a process queues that does not know the address, or an older one', async () => {
    const { url, received } = await receiver(() => 500)
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 1, { lane: '' })
    await world.queue(id, 1, { lane: receiverKey('acme', 'https://old.example/'), object_id: 2 })
    expect(await world.deliveries().deliverDue()).to.include({ failed: 2 })
    expect(received).to.have.length(2)
    const receivers = (await world.waiting()).map((row) => row['lane'])
    expect(receivers).to.deep.equal([receiverKey('acme', url), receiverKey('acme', url)])
  })

  describe('of an older version', () => {
    const database = withDatabase()

    it('is known of what waits already', async () => {
      const { knex, dialect, table } = database.storage
      const tools = { knex, dialect, table }
      await orderDeliveriesByReceiver.down(tools)
      const webhook = { account_id: 'acme', name: 'Told', event: 'request.create', disabled: false }
      const uri = 'https://a:b@hooks.example/itsm?secret=1'
      const [id] = await knex(table('webhooks')).insert({ ...webhook, uri })
      const at = '2026-11-21 09:00:00.000'
      const delivery = { account_id: 'acme', event: 'request.create', body: '', next_at: at, created_at: at }
      await knex(table('deliveries')).insert([
        { ...delivery, webhook_id: id },
        { ...delivery, webhook_id: 404 },
      ])
      await orderDeliveriesByReceiver.up(tools)
      // As it is when a server broke off in the middle.
      await orderDeliveriesByReceiver.up(tools)
      const found = await knex(table('deliveries')).orderBy('id').pluck('receiver')
      expect(found).to.deep.equal([receiverKey('acme', uri), ''])
    })
  })
})
