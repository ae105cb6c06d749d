import { expect } from 'chai'
import { afterEach } from 'mocha'
import { createQueue } from '../../plugin/deliveries/queue.js'
import { createRelay } from '../../plugin/events/relay.js'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { countStatements } from '../support/count-statements.js'
import { type Answer, type Receiver, startReceiver } from '../support/receiver.js'
import { callOf, MINUTE, type WorldDeliveries, withWebhooks } from '../support/webhooks.js'

const FROM = '2026-11-21T08:00:00Z'

describe('deliveries that are sent again', () => {
  const world = withWebhooks()
  const receivers: Receiver[] = []

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
    await world.storage.knex(world.storage.table('audit_lines')).delete()
  })

  async function receiver(answer: (index: number) => Answer | Promise<Answer> = () => 200): Promise<Receiver> {
    const started = await startReceiver({ answer: (_, index) => answer(index) })
    receivers.push(started)
    return started
  }
  /** Events of request 1, and of others, as the relay takes them over. */
  async function happen(deliveries: WorldDeliveries, ...recordIds: readonly number[]): Promise<void> {
    await world.addEvents(...recordIds.map((recordId) => ({ recordId })))
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [deliveries.plan] }).run()
  }
  const call = () => callOf(world.clock.now())
  const place = (webhook: number) => ({ accountId: 'acme', channel: 'webhook', target: String(webhook) })
  const replay = (deliveries: WorldDeliveries, webhook: number, state = 'failed') =>
    deliveries.log.replay(call(), place(webhook), { from: FROM, state })
  const sequence = async () => {
    const rows = await world.rows('channel_deliveries')
    return new Map(rows.map((row) => [`msg_d${row['id']}`, Number(row['message'])]))
  }
  const told = async ({ received }: Receiver) => {
    const sequences = await sequence()
    return received.map(({ headers }) => sequences.get(String(headers['webhook-id'])))
  }

  it('come in the order of their events: behind what is due, before what is new', async () => {
    const answers: Answer[] = [410, 410, 410]
    const { received, url, ...rest } = await receiver(() => answers.shift() ?? 200)
    const webhook = await world.addWebhook({ uri: url })
    const deliveries = world.deliveries()
    await happen(deliveries, 1, 1, 2)
    await deliveries.deliverDue()
    expect(received).to.have.length(3)
    world.clock.pass(MINUTE)
    await happen(deliveries, 1)
    world.clock.pass(1)
    expect(await replay(deliveries, webhook)).to.deep.equal({ count: 3 })
    world.clock.pass(1)
    await happen(deliveries, 1, 2)
    await deliveries.deliverDue()
    const sequences = (await told({ received, url, ...rest })).slice(3)
    const keys = new Map((await world.rows('messages')).map((row) => [Number(row['sequence']), Number(row['record_id'])]))
    const of = (record: number) => sequences.filter((one) => keys.get(Number(one)) === record)
    expect(of(1)).to.deep.equal([4, 1, 2, 5])
    expect(of(2)).to.deep.equal([3, 6])
  })

  it('keep their order with events that had no delivery, although these get new rows', async () => {
    const started = await receiver()
    const webhook = await world.addWebhook({ uri: started.url })
    const deliveries = world.deliveries()
    const { knex, table } = world.storage
    const disable = (disabled: boolean) => knex(table('webhooks')).where({ id: webhook }).update({ disabled })
    for (const isHeard of [false, true, false, true]) {
      await disable(!isHeard)
      await happen(deliveries, 1)
      await deliveries.deliverDue()
      world.clock.pass(1000)
    }
    await disable(false)
    expect(await told(started)).to.deep.equal([2, 4])
    expect(await replay(deliveries, webhook, 'all')).to.deep.equal({ count: 4 })
    world.clock.pass(10)
    await deliveries.deliverDue()
    expect((await told(started)).slice(2)).to.deep.equal([1, 2, 3, 4])
    expect(await replay(deliveries, webhook, 'all')).to.deep.equal({ count: 4 })
    expect(await replay(deliveries, webhook, 'all')).to.deep.equal({ count: 0 })
    world.clock.pass(10)
    await deliveries.deliverDue()
    expect((await told(started)).slice(6)).to.deep.equal([1, 2, 3, 4])
  })

  it('get ten more attempts after the tenth', async () => {
    const started = await receiver(() => 500)
    const webhook = await world.addWebhook({ uri: started.url })
    const deliveries = world.deliveries()
    await happen(deliveries, 1)
    const untilGivenUp = async () => {
      for (let { next } = await deliveries.deliverDue(); next; { next } = await deliveries.deliverDue()) {
        world.clock.set(next.toISOString())
      }
    }
    await untilGivenUp()
    const [{ id } = { id: 0 }] = (await world.rows('channel_deliveries')).filter(({ channel }) => channel === 'webhook') as {
      id: number
    }[]
    expect(started.received).to.have.length(10)
    expect(await deliveries.log.retry(call(), place(webhook), id)).to.include({ state: 'waiting', attempts: 10 })
    await untilGivenUp()
    expect(started.received).to.have.length(20)
    const shown = await deliveries.log.read(call(), place(webhook), id)
    expect(shown).to.include({ state: 'failed', attempts: 20, next_at: null })
    expect(shown.log).to.have.length(20)
    expect(new Set(started.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    const lines = await world.rows('audit_lines')
    expect(lines.map(({ changes }) => JSON.parse(String(changes)))).to.deep.include({ retried: [null, id] })
  })

  it('are sent again although a process that has lost its lease says late that it had sent them', async () => {
    const started = await receiver()
    const webhook = await world.addWebhook({ uri: started.url })
    const deliveries = world.deliveries()
    await happen(deliveries, 1, 2)
    const lane = receiverKey('acme', started.url)
    const holder = world.leases().holder('receiver', 30_000)
    const queue = createQueue({ ...world, keepsSent: true, channel: deliveries.channel, holder })
    await queue.take([lane])
    const page = await queue.read(lane, world.clock.now(), null, 10)
    world.clock.pass(MINUTE)
    // Another process takes over, and sends them.
    await deliveries.deliverDue()
    expect(started.received).to.have.length(2)
    world.clock.pass(1)
    expect(await replay(deliveries, webhook, 'all')).to.deep.equal({ count: 2 })
    const attempts = page.map((delivery) => ({
      delivery,
      outcome: { ok: true as const },
      at: world.clock.now(),
      milliseconds: 1,
    }))
    await queue.acknowledge(attempts)
    expect(await world.waiting()).to.have.length(2)
    await deliveries.deliverDue()
    expect(await told(started)).to.deep.equal([1, 2, 1, 2])
    expect(await world.waiting()).to.have.length(0)
    // Without a retry or a replay in between, a late success counts.
    await happen(deliveries, 3)
    await queue.take([lane])
    const [late] = await queue.read(lane, world.clock.now(), null, 10)
    world.clock.pass(MINUTE)
    expect(await deliveries.deliverDue()).to.include({ delivered: 1 })
    if (late) await queue.acknowledge([{ delivery: late, outcome: { ok: true }, at: world.clock.now(), milliseconds: 1 }])
    expect(await world.waiting()).to.have.length(0)
  })

  it('go on in another process when that which sends a replay has lost its lease in the middle', async () => {
    let release = () => {}
    const stuck = new Promise<void>((resolve) => {
      release = resolve
    })
    const started = await receiver(async (index) => {
      if (index === 4) await stuck
      return 200
    })
    const webhook = await world.addWebhook({ uri: started.url })
    const [one, other] = [world.deliveries(), world.deliveries({ leases: world.leases() })]
    await happen(one, 1, 1, 1)
    await one.deliverDue()
    world.clock.pass(1)
    expect(await replay(one, webhook, 'all')).to.deep.equal({ count: 3 })
    const first = one.deliverDue()
    await started.gets(5)
    world.clock.pass(MINUTE)
    await other.deliverDue()
    release()
    await first
    const all = (await told(started)).slice(3)
    // What was in flight is sent twice; nothing is lost, and the record stays in order.
    expect(all.length).to.be.within(4, 5)
    expect(all.filter((sequence, index) => all.indexOf(sequence) === index)).to.deep.equal([1, 2, 3])
    expect((await world.rows('channel_deliveries')).map(({ state }) => state)).to.deep.equal(['sent', 'sent', 'sent'])
  })

  it('leave no row once they are sent, where nothing is kept', async () => {
    const answers: Answer[] = [410]
    const started = await receiver(() => answers.shift() ?? 200)
    const webhook = await world.addWebhook({ uri: started.url })
    const deliveries = world.deliveries({ keepDays: 0, keepsSent: false })
    await happen(deliveries, 1, 2)
    await deliveries.deliverDue()
    const { items } = await deliveries.log.list(call(), place(webhook), [])
    expect(items.map(({ attempts, state }) => [state, attempts])).to.deep.equal([['failed', 1]])
    await deliveries.log.retry(call(), place(webhook), items[0]?.id ?? 0)
    await deliveries.deliverDue()
    expect(started.received).to.have.length(3)
    expect((await deliveries.log.list(call(), place(webhook), [])).total).to.equal(0)
  })

  it('end tests whose process has died, and delete them some day', async () => {
    const webhook = await world.addWebhook({ uri: 'https://receiver.example.com/' })
    const deliveries = world.deliveries()
    const { id } = await deliveries.test(call(), {
      ...{ id: webhook, accountId: 'acme', name: 'Told', event: 'request.create', uri: 'https://receiver.example.com/' },
    })
    const state = async () => (await deliveries.log.read(call(), place(webhook), id)).state
    expect(await deliveries.deliverDue()).to.include({ delivered: 0, next: null })
    await deliveries.purge()
    expect(await state()).to.equal('waiting')
    const waiting = await deliveries.log.list(call(), place(webhook), [['state', 'waiting']])
    expect(waiting.items.map((one) => [one.id, one.next_at])).to.deep.equal([[id, null]])
    world.clock.pass(61 * MINUTE)
    await deliveries.purge()
    expect(await state()).to.equal('failed')
    world.clock.pass(40 * 24 * 60 * MINUTE)
    await deliveries.purge()
    expect((await deliveries.log.list(call(), place(webhook), [])).total).to.equal(0)
  })

  it('are many without many statements, and a page of the log has as many for any number of rows', async () => {
    const webhook = await world.addWebhook({ uri: 'https://receiver.example.com/' })
    const deliveries = world.deliveries()
    await world.queue(webhook, 2500, { state: 'failed', finished_at: '2026-11-21 09:00:00.000' })
    const count = countStatements(world.storage.knex)
    let counted = 0
    const replays = await count.during(async () => {
      counted = (await replay(deliveries, webhook)).count
    })
    expect(counted).to.equal(2500)
    expect(replays).to.be.below(40)
    const sizes = new Set<number>()
    for (const perPage of ['1', '100']) {
      const page = await count.during(() => deliveries.log.list(call(), place(webhook), [['per_page', perPage]]))
      sizes.add(page)
    }
    expect([...sizes]).to.deep.equal([4])
    await deliveries.log.list(call(), place(webhook), [['sort', 'created_at']])
  })
})
