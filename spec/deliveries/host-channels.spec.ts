import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type ChannelMessage, defineChannel, type HostChannel } from '../../plugin/deliveries/define-channel.js'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { createRelay } from '../../plugin/events/relay.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { DAY, eventCatalog, MINUTE, withWebhooks } from '../support/webhooks.js'

describe('channels of the host', () => {
  const world = withWebhooks()

  function sending(...hosts: readonly HostChannel[]) {
    const { clock, log, storage } = world
    const catalog = eventCatalog()
    const queries = createQueries(storage, catalog)
    const parts = { storage, clock, log, catalog, leases: world.leases(), takeOverAfterMs: MINUTE, keepDays: 30 }
    const { deliverDue, plan } = createDeliveries({ ...parts, channels: [], host: { queries, channels: hosts } })
    return {
      deliverDue: (signal?: AbortSignal) => deliverDue(hosts[0]?.name ?? '', signal),
      relay: () => createRelay({ storage, leases: world.leases(), log, receivers: [plan] }).run(),
    }
  }

  const states = async () =>
    (await world.rows('channel_deliveries')).map(({ last_error, state, target }) => [target, state, last_error])

  it('get each message with what it was then, render it for their targets, and send it', async () => {
    const { knex, table } = world.storage
    await knex(table('teams')).insert({ id: 3, account_id: 'acme', name: 'Network', disabled: false })
    const changes = JSON.stringify({ status: ['declared', 'assigned'] })
    const line = { account_id: 'acme', owner_type: 'request', owner_id: 5, action: 'update', created_at: '2026-11-21 09:00:00' }
    const [auditLineId = 0] = await knex(table('audit_lines')).insert({ ...line, changes, cause: 'import 17' })
    const sent: unknown[] = []
    const chat = defineChannel('chat', {
      targets: (messages) => messages.flatMap((message) => ['#desk', '#all'].map((target) => ({ message, target }))),
      render: ({ cause, changes, name, recordId, sequence, team }, target) => ({
        ...{ target, name, recordId, sequence, changes, cause, team },
      }),
      send: (request) => void sent.push(request),
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents({ event: 'request.update', recordId: 5, auditLineId, snapshot: { team_id: 3, status: 'assigned' } })
    await relay()
    expect(await deliverDue()).to.include({ delivered: 3, failed: 0, next: null })
    const changed = { changes: { status: ['declared', 'assigned'] }, cause: 'import 17' }
    const told = { name: 'request.update', recordId: 5, sequence: 1, ...changed }
    const team = { id: 3, name: 'Network', sourceID: null, disabled: false, account: { id: 'acme', name: 'Acme' } }
    expect(sent).to.have.deep.members([
      { target: '#desk', ...told, team },
      { target: '#all', ...told, team },
    ])
    expect(await states()).to.have.deep.members([
      ['#desk', 'sent', null],
      ['#all', 'sent', null],
    ])
    await knex(table('audit_lines')).delete()
  })

  it('are built in a few lines, and get only the events that they name', async () => {
    const sent: number[] = []
    const pager = defineChannel('pager', {
      events: ['request.create'],
      targets: (messages) => messages.map((message) => ({ message, target: 'on-call' })),
      render: ({ cause, changes, recordId }) => {
        expect([cause, changes]).to.deep.equal([null, {}])
        return recordId
      },
      send: (recordId) => void sent.push(recordId),
    })
    const { deliverDue, relay } = sending(pager)
    await world.addEvents({ recordId: 1 }, { event: 'request.update', recordId: 2 }, { recordId: 3 })
    await relay()
    await deliverDue()
    expect(sent.toSorted()).to.deep.equal([1, 3])
    expect(await world.rows('messages')).to.have.length(3)
  })

  it('are asked once where the messages of a page go', async () => {
    const asked: number[] = []
    const sent: string[] = []
    const chat = defineChannel('chat', {
      targets(messages) {
        asked.push(messages.length)
        return messages.flatMap((message) => (message.recordId % 2 ? [{ message, target: '#odd' }] : []))
      },
      render: ({ recordId }, target) => `${target} ${recordId}`,
      send: (text) => void sent.push(text),
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents(...Array.from({ length: 40 }, (_, index) => ({ recordId: index + 1 })))
    await relay()
    await deliverDue()
    expect(asked).to.deep.equal([40])
    expect(sent).to.have.length(20)
    expect(sent).to.include('#odd 39')
  })

  it('that are gone keep their messages for a day, then lose them, which is logged; what came later is kept no longer', async () => {
    const chat = defineChannel('chat', {
      targets: (messages) => messages.map((message) => ({ message, target: '#desk' })),
      render: () => null,
      send: () => null,
    })
    const { relay } = sending(chat)
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    await relay()
    const { purge } = world.deliveries()
    await purge()
    expect(await states()).to.deep.equal([
      ['', 'waiting', null],
      ['', 'waiting', null],
    ])
    world.clock.pass(DAY + 1)
    await purge()
    expect((await states()).map(([, state]) => state)).to.deep.equal(['dropped', 'dropped'])
    expect(world.log.lines.map(({ details, level }) => [level, details])).to.deep.equal([
      ['error', { dropped: 2, channels: ['chat'] }],
    ])
    world.clock.pass(30 * DAY + 1)
    await purge()
    // The newest stays.
    expect((await world.rows('messages')).map(({ sequence }) => Number(sequence))).to.deep.equal([2])
  })

  it('read records as they are now', async () => {
    const { knex, table } = world.storage
    await knex(table('people')).insert({ id: 9, account_id: 'acme', name: 'Tom', disabled: false })
    const sent: unknown[] = []
    const mine = defineChannel('mine', {
      targets: async ([message], { read }) => {
        const people = await read('person', [9, 404])
        return message ? [...people.keys()].map((id) => ({ message, target: `person-${id}` })) : []
      },
      render: async (_message, target, { read }) => (await read('person', [Number(target.split('-')[1])])).get(9)?.['name'],
      send: (name) => void sent.push(name),
    })
    const { deliverDue, relay } = sending(mine)
    await world.addEvents({})
    await relay()
    await deliverDue()
    expect(sent).to.deep.equal(['Tom'])
  })

  it('may fail with an error of any length', async () => {
    const chat = defineChannel('chat', {
      targets: (messages) => messages.map((message) => ({ message, target: '#desk' })),
      render: () => null,
      send() {
        throw new Error('No room. '.repeat(100))
      },
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents({ recordId: 1 })
    await relay()
    expect(await deliverDue()).to.include({ failed: 1 })
    const [[, state, error] = []] = await states()
    expect([state, String(error).length]).to.deep.equal(['waiting', 255])
  })

  for (const broken of ['targets', 'render', 'send'] as const) {
    it(`fail for one message if ${broken} throws: others go on, the log names it, and it is tried again`, async () => {
      const sent: number[] = []
      let isBroken = true
      const fail = (name: string, { recordId }: Pick<ChannelMessage, 'recordId'>) => {
        if (isBroken && name === broken && recordId === 1) throw new Error(`${name} is broken`)
      }
      const chat = defineChannel('chat', {
        targets(messages) {
          for (const message of messages) fail('targets', message)
          return messages.map((message) => ({ message, target: '#desk' }))
        },
        render(message) {
          fail('render', message)
          return message
        },
        send(message) {
          fail('send', message)
          sent.push(message.recordId)
        },
      })
      const { deliverDue, relay } = sending(chat)
      await world.addEvents({ recordId: 1 }, { recordId: 2 })
      await relay()
      const { failed, next } = await deliverDue()
      expect(failed).to.equal(1)
      expect(sent).to.deep.equal([2])
      const [line, ...others] = world.log.lines
      expect(others).to.deep.equal([])
      expect(line).to.include({ level: 'warn', message: 'A message could not be sent and will be sent again' })
      expect(line?.details).to.include({ channel: 'chat', event: 'request.create' })
      expect((await states()).map(([, state, error]) => [state, error])).to.have.deep.members([
        ['waiting', `${broken} is broken`],
        ['sent', null],
      ])
      isBroken = false
      world.clock.set(next?.toISOString() ?? '')
      await deliverDue()
      expect(sent).to.deep.equal([2, 1])
    })
  }

  it('keep the order of one record and target, and let others pass', async () => {
    const sent: string[] = []
    const chat = defineChannel('chat', {
      targets: (messages) => messages.map((message) => ({ message, target: '#desk' })),
      render: ({ name, recordId }) => ({ name, recordId }),
      async send({ name, recordId }) {
        await sleep(name === 'request.create' ? 30 : 0)
        sent.push(`${name} ${recordId}`)
      },
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents({ recordId: 1 }, { event: 'request.update', recordId: 1 }, { event: 'request.update', recordId: 2 })
    await relay()
    await deliverDue()
    expect(sent).to.deep.equal(['request.update 2', 'request.create 1', 'request.update 1'])
  })

  it('give up when they say so, wait as long as they say, and try as often as they say', async () => {
    const thrown: Record<number, object> = {
      1: { isFinal: true, status: 410 },
      2: { retryAt: new Date('2026-11-21T10:00:00Z') },
    }
    let tried = 0
    const chat = defineChannel('chat', {
      targets: (messages) => messages.map((message) => ({ message, target: `#${message.recordId}` })),
      render: ({ recordId }) => recordId,
      send(recordId) {
        if (recordId === 3) tried += 1
        throw Object.assign(new Error('No'), thrown[recordId])
      },
      attempts: 3,
      waits: [1000, 5000],
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents({ recordId: 1 }, { recordId: 2 }, { recordId: 3 })
    await relay()
    await deliverDue()
    const [first, second, third] = await world.rows('channel_deliveries')
    expect(first).to.include({ state: 'failed' })
    expect(second).to.include({ state: 'waiting', next_at: '2026-11-21 10:00:00.000' })
    expect(third).to.include({ state: 'waiting', next_at: '2026-11-21 09:00:01.000' })
    world.clock.pass(1000)
    const { next } = await deliverDue()
    expect(next).to.deep.equal(new Date('2026-11-21T09:00:06Z'))
    world.clock.pass(5000)
    await deliverDue()
    expect(tried).to.equal(3)
    expect((await world.rows('channel_deliveries'))[2]).to.include({ state: 'failed', last_error: 'No' })
    expect((await world.rows('delivery_attempts')).map(({ status }) => status)).to.include(410)
  })

  it('do not hold up others, or a stop, when they hang', async () => {
    const aborted: string[] = []
    const sent: string[] = []
    const chat = defineChannel('chat', {
      targets: (messages) => messages.flatMap((message) => ['hangs', 'works'].map((target) => ({ message, target }))),
      render: (_message, target) => target,
      async send(target, signal) {
        sent.push(target)
        if (target === 'works') return
        signal.addEventListener('abort', () => aborted.push(target))
        await new Promise(() => {})
      },
      timeoutMs: 150,
    })
    const { deliverDue, relay } = sending(chat)
    await world.addEvents({})
    await relay()
    const stop = new AbortController()
    const running = deliverDue(stop.signal)
    while (sent.length < 2) await sleep(1)
    stop.abort()
    expect(await running).to.include({ delivered: 2, failed: 1 })
    expect(aborted).to.deep.equal(['hangs'])
    expect(await states()).to.deep.include(['hangs', 'waiting', 'No answer within 150 ms'])
  })

  it('refuse targets that are none', async () => {
    for (const target of ['', 'x'.repeat(161), 5 as never]) {
      await world.storage.knex(world.storage.table('channel_deliveries')).delete()
      const chat = defineChannel('chat', {
        targets: (messages) => messages.map((message) => ({ message, target })),
        render: () => null,
        send: () => null,
      })
      const { deliverDue, relay } = sending(chat)
      await world.addEvents({})
      await relay()
      expect(await deliverDue()).to.include({ failed: 1 })
    }
  })
})
