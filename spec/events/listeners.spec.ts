import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import type { HostEvent } from '../../plugin/deliveries/host-event.js'
import { createListenerChannel, type Listeners } from '../../plugin/events/listeners.js'
import { listener } from '../../plugin/events/name-listeners.js'
import { createRelay } from '../../plugin/events/relay.js'
import { DAY, eventCatalog, MINUTE, withWebhooks } from '../support/webhooks.js'

describe('listeners of the host', () => {
  const world = withWebhooks()

  function callsFor(on: Listeners, timeout = 2000) {
    const { storage, clock, log } = world
    const channels = [createListenerChannel({ log, on, timeout })]
    const parts = { storage, clock, log, catalog: eventCatalog(), leases: world.leases() }
    const { deliverDue, plan } = createDeliveries({ ...parts, channels, takeOverAfterMs: MINUTE, keepDays: 30 })
    return { plan, callDue: (signal?: AbortSignal) => deliverDue('listener', signal) }
  }

  /** Rows of listeners that wait. */
  const waiting = async () => (await world.rows('channel_deliveries')).filter(({ state }) => state === 'waiting')

  async function relayTo(calls: ReturnType<typeof callsFor>): Promise<void> {
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [calls.plan] }).run()
  }

  it('are told of the events that they listen to, in order, with all there is to know', async () => {
    const told: HostEvent[] = []
    const calls = callsFor({ 'request.status-changed': [listener('pager', (event) => void told.push(event))] })
    await world.addEvents(
      { event: 'request.status-changed', recordId: 1, snapshot: { status: 'assigned', previous_status: 'declared' } },
      { event: 'request.update', recordId: 1 },
      { event: 'request.status-changed', recordId: 2, personId: null, personName: '' },
    )
    await relayTo(calls)
    expect(await calls.callDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
    expect(told.map(({ id: _, ...event }) => event)).to.deep.equal([
      {
        name: 'request.status-changed',
        recordType: 'request',
        recordId: 1,
        accountId: 'acme',
        person: { id: 7, name: 'Ines Álvarez' },
        at: world.clock.now(),
        auditLineId: 31,
        status: 'assigned',
        previousStatus: 'declared',
        noteId: null,
        data: null,
        ...{ changes: {}, cause: null },
        target: null,
      },
      {
        name: 'request.status-changed',
        recordType: 'request',
        recordId: 2,
        accountId: 'acme',
        person: null,
        at: world.clock.now(),
        auditLineId: 31,
        status: 'declared',
        previousStatus: null,
        noteId: null,
        data: null,
        ...{ changes: {}, cause: null },
        target: null,
      },
    ])
    expect(told[0]?.id).to.be.lessThan(Number(told[1]?.id))
    expect(await waiting()).to.deep.equal([])
  })

  it('are called again, with the same event id, when they fail; others are not', async () => {
    const told: string[] = []
    let broken = true
    const calls = callsFor({
      'request.create': [
        listener('first', (event) => {
          told.push(`first ${event.id}`)
          if (broken) throw new Error('The pager is away')
        }),
        listener('second', async (event) => void told.push(`second ${event.id}`)),
      ],
    })
    await world.addEvents({})
    await relayTo(calls)
    const result = await calls.callDue()
    expect(result).to.deep.equal({ delivered: 1, failed: 1, next: new Date('2026-11-21T09:01:00Z') })
    expect(told).to.have.length(2)

    broken = false
    expect((await calls.callDue()).delivered).to.equal(0)
    world.clock.pass(MINUTE)
    expect(await calls.callDue()).to.deep.equal({ delivered: 1, failed: 0, next: null })
    expect(told).to.have.length(3)
    expect(told[2]).to.equal(told.find((line) => line.startsWith('first')))
  })

  it('are given up after ten failures, with an error in the log', async () => {
    let called = 0
    const calls = callsFor({
      'request.create': [
        listener('pager', () => {
          called += 1
          throw new Error('never')
        }),
      ],
    })
    await world.addEvents({})
    await relayTo(calls)
    for (let { next } = await calls.callDue(); next; { next } = await calls.callDue()) world.clock.set(next.toISOString())
    expect(called).to.equal(10)
    expect(world.clock.now().toISOString()).to.equal('2026-11-21T17:31:00.000Z')
    expect(world.log.lines.filter(({ level }) => level === 'error')).to.have.length(1)
    expect(await waiting()).to.deep.equal([])
  })

  it('do not wait for one that hangs', async () => {
    const told: number[] = []
    const calls = callsFor(
      {
        'request.create': [
          listener('hangs', () => new Promise(() => {})),
          listener('pager', (event) => void told.push(event.recordId)),
        ],
      },
      50,
    )
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    await relayTo(calls)
    expect(await calls.callDue()).to.include({ delivered: 2, failed: 2 })
    expect(told).to.deep.equal([1, 2])
  })

  it('hear of an event that comes while they run', async () => {
    const told: number[] = []
    const calls = callsFor({
      'request.create': [
        listener('pager', async (event) => {
          told.push(event.recordId)
          if (event.recordId > 1) return
          await world.addEvents({ recordId: 2 })
          await relayTo(calls)
          void calls.callDue()
        }),
      ],
    })
    await world.addEvents({ recordId: 1 })
    await relayTo(calls)
    expect(await calls.callDue()).to.include({ delivered: 2 })
    expect(told).to.deep.equal([1, 2])
  })

  it('are called by one process at a time, and by another when that has died', async () => {
    const told: string[] = []
    const on = (name: string): Listeners => ({ 'request.create': [listener('pager', () => void told.push(name))] })
    const other = callsFor(on('two'))
    await world.addEvents({})
    await relayTo(other)
    const dead = world.leases().holder('listeners', MINUTE)
    expect((await dead.take(['pager'])).size).to.equal(1)
    // It looks again soon: what came while the other process was finishing must not wait for the end of its lease.
    expect(await other.callDue()).to.deep.equal({ delivered: 0, failed: 0, next: new Date('2026-11-21T09:00:01Z') })
    world.clock.pass(MINUTE)
    expect(await other.callDue()).to.include({ delivered: 1 })
    expect(told).to.deep.equal(['two'])
  })

  it('are not called by a process that was paused until another one had taken over', async () => {
    const told: string[] = []
    let calling: Promise<unknown> | undefined
    const second = callsFor({
      'request.create': [listener('pager', ({ recordId }) => void told.push(`second ${recordId}`))],
    })
    const first = callsFor({
      'request.create': [
        listener('pager', async ({ recordId }) => {
          told.push(`first ${recordId}`)
          // By then it waits for nothing but this listener.
          await sleep(20)
          world.clock.pass(MINUTE)
          calling = second.callDue()
          await calling
        }),
      ],
    })
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    await relayTo(first)
    expect(await first.callDue()).to.include({ delivered: 1, failed: 0 })
    expect(await calling).to.include({ delivered: 2 })
    expect(told).to.deep.equal(['first 1', 'second 1', 'second 2'])
    expect(await waiting()).to.deep.equal([])
  })

  it('that are gone keep their events for a day, then lose them, which is logged', async () => {
    await world.addEvents({})
    await relayTo(callsFor({ 'request.create': [listener('pager', () => {})] }))
    const without = callsFor({ 'request.create': [listener('other', () => {})] })
    expect(await without.callDue()).to.deep.equal({ delivered: 0, failed: 0, next: new Date('2026-11-21T09:01:00Z') })
    world.clock.pass(DAY)
    await without.callDue()
    expect(await waiting()).to.have.length(1)
    world.clock.pass(1)
    await without.callDue()
    expect(world.log.lines.map(({ level }) => level)).to.deep.equal(['error'])
    const [row] = await world.rows('channel_deliveries')
    expect(row).to.include({ state: 'dropped', target: 'pager', last_error: 'No process knows it any more' })
    expect(await waiting()).to.deep.equal([])
  })

  it('are not called after a stop', async () => {
    const stop = new AbortController()
    const told: number[] = []
    const calls = callsFor({
      'request.create': [
        listener('pager', (event) => {
          told.push(event.recordId)
          stop.abort()
        }),
      ],
    })
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    await relayTo(calls)
    await calls.callDue(stop.signal)
    expect(told).to.deep.equal([1])
    expect(await waiting()).to.have.length(1)
  })
})
