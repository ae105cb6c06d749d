import { expect } from 'chai'
import { createRelay, type Receiver } from '../../plugin/events/relay.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { addToOutbox, type OutboxEvent } from '../../plugin/storage/queues/outbox.js'
import { errorOf } from '../support/house.js'
import { withWebhooks } from '../support/webhooks.js'

describe('the relay', () => {
  const world = withWebhooks({ file: true })
  let taken: OutboxEvent[] = []
  const take: Receiver = async (_, events) => {
    taken.push(...events)
    return events.length
  }

  beforeEach(() => {
    taken = []
  })

  function relay(receivers: readonly Receiver[], batchSize = 500, traffic = { isHeavy: () => false }) {
    return createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers, batchSize, traffic })
  }

  async function remaining(): Promise<number[]> {
    return (await world.rows('outbox')).map((row) => Number(row['record_id']))
  }

  it('hands on events as they were stored, in order, and empties the outbox', async () => {
    const snapshot = { status: 'assigned', previous_status: 'declared', sourceID: 'é😀', team_id: 3, note_id: 5 }
    await world.addEvents({ recordId: 1, snapshot }, { recordId: 2, personId: null, personName: '', auditLineId: null })
    expect(await relay([take]).run()).to.equal(2)
    const first = {
      event: 'request.create',
      recordType: 'request',
      recordId: 1,
      accountId: 'acme',
      personId: 7,
      personName: 'Ines Álvarez',
      auditLineId: 31,
      snapshot,
      at: world.clock.now(),
    }
    const second = {
      ...first,
      recordId: 2,
      personId: null,
      personName: '',
      auditLineId: null,
      snapshot: { status: 'declared' },
    }
    expect(taken.map(({ id: _, ...event }) => event)).to.deep.equal([first, second])
    expect(await remaining()).to.deep.equal([])
  })

  it('rests after each batch while requests wait for the processor', async () => {
    await world.addEvents(...Array.from({ length: 5 }, (_, index) => ({ recordId: index + 1 })))
    const begun: number[] = []
    const slow: Receiver = async () => {
      begun.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await relay([take, slow], 2, { isHeavy: () => true }).run()).to.equal(5)
    expect(taken.map(({ recordId }) => recordId)).to.deep.equal([1, 2, 3, 4, 5])
    // At least three times as long as a batch, which takes 20 milliseconds of waiting alone.
    for (const [index, at] of begun.slice(1).entries()) expect(at - (begun[index] ?? 0)).to.be.at.least(70)
  })

  it('needs several batches for many events', async () => {
    await world.addEvents(...Array.from({ length: 450 }, (_, index) => ({ recordId: index + 1 })))
    const sizes: number[] = []
    await relay([take, async (_, events) => sizes.push(events.length)], 200).run()
    expect(sizes).to.deep.equal([200, 200, 50])
    expect(taken.map(({ recordId }) => recordId)).to.deep.equal(Array.from({ length: 450 }, (_, index) => index + 1))
  })

  it('keeps an event that a receiver cannot take, and hands on the others', async () => {
    await world.addEvents({ recordId: 1 }, { recordId: 2 }, { recordId: 3 })
    const picky: Receiver = async (db, events) => {
      const key = `took ${events.map(({ recordId }) => recordId)}`
      await db(world.storage.table('rate_limits')).insert({ key, points: 1, expire: 1 })
      if (events.some(({ recordId }) => recordId === 2)) throw new Error('not this one')
      return 1
    }
    expect(await relay([picky]).run()).to.equal(2)
    expect(await remaining()).to.deep.equal([2])
    expect(world.log.lines.map(({ level }) => level)).to.deep.equal(['error'])
    // What the receiver wrote for the event that it refused is undone.
    const names: string[] = await world.storage.knex(world.storage.table('rate_limits')).pluck('key')
    expect(names.sort()).to.deep.equal(['took 1', 'took 3'])
    // The next sweep tries again.
    expect(await relay([take]).run()).to.equal(1)
  })

  it('stops when nothing can be handed on', async () => {
    await world.addEvents(...Array.from({ length: 30 }, (_, index) => ({ recordId: index })))
    let calls = 0
    const broken: Receiver = async () => {
      calls += 1
      throw new Error('The database is read-only')
    }
    const error = await relay([broken])
      .run()
      .then(
        () => null,
        (error) => error,
      )
    expect(error).to.be.instanceOf(Error).with.property('message', 'The database is read-only')
    expect(calls).to.equal(11)
    expect(await remaining()).to.have.length(30)
  })

  it('finds an event whose id is lower than others that were handed on before', async () => {
    await world.addEvents({ recordId: 1 })
    const [first] = await world.rows('outbox')
    await relay([take]).run()
    // A transaction that was slow to commit.
    await world.addEvents({ recordId: 2 })
    await world.storage.knex(world.storage.table('outbox')).update({ id: first?.['id'] })
    expect(await relay([take]).run()).to.equal(1)
  })

  it('looks again when it is called while it runs', async () => {
    await world.addEvents({ recordId: 1 })
    let again: Promise<number> | null = null
    const one = relay([
      take,
      async () => {
        again ??= one.run()
        return 0
      },
    ])
    const running = one.run()
    expect(await running).to.equal(1)
    expect(await again).to.equal(1)
    await world.addEvents({ recordId: 2 })
    expect(await one.run()).to.equal(1)
  })

  it('hands on every event once when two processes relay at the same time', async () => {
    await world.addEvents(...Array.from({ length: 300 }, (_, index) => ({ recordId: index + 1 })))
    const other = openStorage({ url: world.url }, 'itsm_')
    try {
      const counts = await Promise.all([
        relay([take], 20).run(),
        createRelay({ storage: other, leases: world.leases(other), log: world.log, receivers: [take], batchSize: 20 }).run(),
      ])
      expect(counts[0] + counts[1]).to.equal(300)
    } finally {
      await other.close()
    }
    expect(taken.map(({ recordId }) => recordId)).to.deep.equal(Array.from({ length: 300 }, (_, index) => index + 1))
  })

  it('goes on with batches behind the one with an event that a receiver cannot take', async () => {
    await world.addEvents(...Array.from({ length: 50 }, (_, index) => ({ recordId: index + 1 })))
    const sizes: number[] = []
    const picky: Receiver = async (_, events) => {
      if (events.some(({ recordId }) => recordId === 2)) throw new Error('not this one')
      return sizes.push(events.length)
    }
    expect(await relay([picky], 10).run()).to.equal(49)
    expect(sizes).to.deep.equal([...Array(9).fill(1), 10, 10, 10, 10])
  })

  it('does not go row by row against another process, and waits in line behind it', async () => {
    await world.addEvents(...Array.from({ length: 30 }, (_, index) => ({ recordId: index + 1 })))
    const sizes: number[] = []
    let conflicts = 8
    const fighting: Receiver = async (_, events) => {
      sizes.push(events.length)
      conflicts -= 1
      if (conflicts >= 0) throw Object.assign(new Error('Deadlock found'), { errno: 1213 })
      return 1
    }
    expect(await relay([fighting, take]).run()).to.equal(30)
    expect(new Set(sizes)).to.deep.equal(new Set([30]))
    expect(world.log.lines).to.deep.equal([])
    expect(await remaining()).to.deep.equal([])
  })

  it('gives up, and leaves all events where they are, when every batch loses', async () => {
    await world.addEvents({ recordId: 1 })
    const losing: Receiver = async () => {
      throw Object.assign(new Error('Deadlock found'), { errno: 1213 })
    }
    const error = await errorOf(relay([losing]).run())
    expect(error.message).to.equal('Deadlock found')
    expect(await remaining()).to.deep.equal([1])
  })

  it('takes over from a process that died, and commits nothing after it has been taken over', async () => {
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    const other = openStorage({ url: world.url }, 'itsm_')
    const heard: string[] = []
    try {
      const named = (name: string): Receiver => {
        return async (_, events) => heard.push(...events.map(({ recordId }) => `${name} ${recordId}`))
      }
      const second = createRelay({ storage: other, leases: world.leases(other), log: world.log, receivers: [named('second')] })
      let taking: Promise<number> | undefined
      const slow: Receiver = async (db) => {
        if (taking) return 0
        // This process was paused for so long that another one came.
        world.clock.pass(5000)
        taking = second.run()
        // On SQLite the transaction keeps the other process out as long as it is open.
        if (world.storage.dialect === 'mysql') await taking
        return Number((await db.raw('select 1')) && 0)
      }
      const first = await relay([slow, named('first')]).run()
      expect(first + Number(await taking)).to.equal(2)
    } finally {
      await other.close()
    }
    expect(heard.filter((one) => one.startsWith('second'))).to.have.length(world.storage.dialect === 'mysql' ? 2 : 0)
    expect(await remaining()).to.deep.equal([])
  })

  it('does not see events of changes that are not committed, nor make these wait', async function () {
    if (world.storage.dialect === 'sqlite') this.skip()
    const open = await world.storage.knex.transaction()
    await addToOutbox(open, world.storage, [
      {
        event: 'request.create',
        recordType: 'request',
        recordId: 1,
        accountId: 'acme',
        personId: null,
        personName: '',
        auditLineId: null,
        snapshot: {},
        at: world.clock.now(),
      },
    ])
    await world.addEvents({ recordId: 2 })
    const saving: Receiver = async (_, events) => {
      // While the relay's transaction is open, others store events.
      if (events.some(({ recordId }) => recordId === 2)) await world.addEvents({ recordId: 3 })
      return 0
    }
    await relay([saving, take]).run()
    expect(taken.map(({ recordId }) => recordId)).to.deep.equal([2])
    await open.commit()
    await relay([take]).run()
    expect(taken.map(({ recordId }) => recordId)).to.deep.equal([2, 1, 3])
  })
})
