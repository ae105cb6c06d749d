import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { openStorage, type Storage } from '../../../plugin/storage/database/connections.js'
import { createLeases, type Lease, LeaseLost, type Leases } from '../../../plugin/storage/queues/leases.js'
import { withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'
import { keptLog, settableClock } from '../../support/webhooks.js'

const START = '2026-11-21T09:00:00Z'
const PLACE = { kind: 'spec', lastsMs: 30_000 }

describe('leases', () => {
  const database = withDatabase({ file: true })
  const clock = settableClock(START)
  let log = keptLog()
  let there: Storage
  let one: Leases
  let other: Leases

  before(() => {
    // As another process: with connections of its own.
    there = openStorage({ url: database.url }, 'itsm_')
  })
  after(() => there.close())
  beforeEach(async () => {
    clock.set(START)
    log = keptLog()
    const parts = { clock, log, randomId: randomUUID }
    one = createLeases({ ...parts, storage: database.storage })
    other = createLeases({ ...parts, storage: there })
    await leases().delete()
  })

  const leases = () => database.knex('itsm_leases')
  const add = (key: string) => (db: typeof database.knex) => db('itsm_rate_limits').insert({ key, points: 1, expire: 1 })
  const keys = async (): Promise<string[]> => (await database.knex('itsm_rate_limits').pluck('key')).sort()
  afterEach(() => database.knex('itsm_rate_limits').delete())

  /** As a look at many leases sees it, before it takes some of them. */
  const isElsewhere = async () => {
    const [row] = await leases().select('holder', database.knex.raw('cast(held_until as char) as heldUntil'))
    return other.holder(PLACE.kind, PLACE.lastsMs).isElsewhere(row)
  }

  /** Attempts to hold the lease until `end` is called. */
  async function holding(held: Leases, place = PLACE) {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let began = (_lease: Lease) => {}
    const lease = new Promise<Lease>((resolve) => {
      began = resolve
    })
    const work = held.attempt(place, async (lease) => {
      began(lease)
      await ended
    })
    return {
      lease: await lease,
      end: () => {
        end()
        return work
      },
    }
  }

  it('are held by one at a time, and are free when the work is done', async () => {
    const { end } = await holding(one)
    const refused = await other.attempt(PLACE, async () => 'worked')
    expect(refused).to.deep.equal({ held: false, until: new Date('2026-11-21T09:00:30Z') })
    // One process does not do it twice either.
    expect(await one.attempt(PLACE, async () => 'worked')).to.include({ held: false })
    expect(await other.attempt({ ...PLACE, name: 'another' }, async () => 'worked')).to.deep.equal({
      held: true,
      result: 'worked',
    })
    await end()
    expect(await other.attempt(PLACE, async () => 'worked')).to.deep.equal({ held: true, result: 'worked' })
  })

  it('are free after work that fails', async () => {
    const error = await errorOf(one.attempt(PLACE, () => Promise.reject(new Error('no luck'))))
    expect(error.message).to.equal('no luck')
    expect(await other.attempt(PLACE, async () => 1)).to.include({ held: true })
  })

  it('are free when they were given back, also for a process whose clock is behind', async () => {
    await one.attempt(PLACE, async () => 1)
    clock.set('2025-01-01T00:00:00Z')
    expect(await isElsewhere()).to.equal(false)
    expect(await other.attempt(PLACE, async () => 1)).to.include({ held: true })
  })

  it('are taken over from a process that died with a clock far ahead', async () => {
    clock.set('2036-01-01T00:00:00Z')
    const { lease, end } = await holding(one)
    clock.set('2035-12-31T23:50:00Z')
    expect(await other.attempt(PLACE, async () => 1)).to.include({ held: false })
    expect(await isElsewhere()).to.equal(true)
    clock.set(START)
    expect(await isElsewhere()).to.equal(false)
    expect(await other.attempt(PLACE, async () => 1)).to.include({ held: true })
    expect(await errorOf(lease.inTransaction(add('too late')))).to.be.instanceOf(LeaseLost)
    await end()
  })

  it('are lost when their row is deleted, and can be taken again', async () => {
    const { lease, end } = await holding(one)
    await leases().delete()
    expect(await errorOf(lease.inTransaction(add('too late')))).to.be.instanceOf(LeaseLost)
    expect(await keys()).to.deep.equal([])
    expect(await other.attempt(PLACE, async () => 1)).to.include({ held: true })
    await end()
  })

  it('are prolonged by one statement at a time, however long the database takes for it', async function () {
    if (database.storage.dialect === 'sqlite') this.skip()
    const sent = new Set<string>()
    let asked = 0
    const begun = ({ sql, __knexQueryUid: id }: { sql: string; __knexQueryUid: string }) => {
      if (!/^update .*leases/.test(sql)) return
      sent.add(id)
      asked += 1
    }
    const ended = (_: unknown, { __knexQueryUid: id }: { __knexQueryUid: string }) => void sent.delete(id)
    database.knex.on('query', begun).on('query-response', ended)
    const { end, lease } = await holding(one, { kind: 'spec', lastsMs: 60 })
    await there.knex.transaction(async (db) => {
      await db('itsm_leases').where({ kind: 'spec' }).forUpdate()
      // One may wait for the lock already.
      asked = sent.size
      await sleep(400)
    })
    database.knex.removeListener('query', begun).removeListener('query-response', ended)
    expect(asked).to.be.within(1, 2)
    await lease.check()
    await end()
  })

  it('are taken over when they are not prolonged, and then nothing more is written for them', async () => {
    const { lease, end } = await holding(one)
    await lease.inTransaction(add('in time'))
    clock.pass(29_999)
    expect(await other.attempt(PLACE, async () => 1)).to.deep.include({ held: false })
    // The write has prolonged nothing: the clock stood still.
    clock.pass(1)
    const second = await holding(other)
    expect(await errorOf(lease.inTransaction(add('too late')))).to.be.instanceOf(LeaseLost)
    expect(await errorOf(lease.check())).to.be.instanceOf(LeaseLost)
    await second.lease.check()
    await end()
    // Giving back what another process has leaves it there.
    await second.lease.inTransaction(add('the next one'))
    await second.end()
    expect(await keys()).to.deep.equal(['in time', 'the next one'])
  })

  it('are prolonged by writing, also after their time while no other process has come', async () => {
    const { lease, end } = await holding(one)
    clock.pass(40_000)
    await lease.inTransaction(add('late'))
    expect(await other.attempt(PLACE, async () => 1)).to.deep.equal({ held: false, until: new Date('2026-11-21T09:01:10Z') })
    await end()
  })

  it('are prolonged while the work goes on, and tell it when they are lost', async () => {
    const place = { kind: 'spec', lastsMs: 60 }
    const { lease, end } = await holding(one, place)
    clock.pass(1000)
    await sleep(100)
    expect(await other.attempt(place, async () => 1)).to.include({ held: false })
    await leases().update({ holder: 'somebody else' })
    await sleep(100)
    expect(lease.lost.aborted).to.equal(true)
    expect(lease.lost.reason).to.be.instanceOf(LeaseLost)
    await end()
    expect(await leases().pluck('holder')).to.deep.equal(['somebody else'])
  })

  it('let nobody in while a write is being committed', async function () {
    // An embedded database has one writer at a time.
    if (database.storage.dialect === 'sqlite') this.skip()
    const { lease, end } = await holding(one)
    clock.pass(60_000)
    let attempted: Promise<unknown> | undefined
    await database.knex.transaction(async (db) => {
      await lease.fence(db)
      attempted = other.attempt(PLACE, async () => 1)
      await sleep(50)
      await add('fenced')(db)
    })
    expect(await attempted).to.include({ held: false })
    await end()
    expect(await keys()).to.deep.equal(['fenced'])
  })

  it('take a deadlock for a process that was faster', async function () {
    if (database.storage.dialect === 'sqlite') this.skip()
    const names = ['a', 'b']
    expect((await one.holder('spec', 1000).take(names)).size).to.equal(2)
    clock.pass(2000)
    const held = await there.knex.transaction(async (db) => {
      // The one with fewer changes is the one that the server ends.
      for (const key of ['1', '2', '3', '4', '5']) await add(key)(db)
      await db('itsm_leases').where({ kind: 'spec', name: 'b' }).update({ beats: 9 })
      const taking = one.holder('spec', 1000).take(names)
      await sleep(100)
      await db('itsm_leases').where({ kind: 'spec', name: 'a' }).update({ beats: 9 })
      return [...(await taking)]
    })
    expect(held).to.deep.equal([])
    expect(log.lines).to.deep.equal([])
  })

  it('are held by one of many that want them, again and again', async () => {
    let [inside, most, done] = [0, 0, 0]
    const work = async (lease: Lease) => {
      inside += 1
      most = Math.max(most, inside)
      await lease.inTransaction(async (db) => {
        const row = await db('itsm_rate_limits').where({ key: 'sum' }).first('points')
        if (row)
          await db('itsm_rate_limits')
            .where({ key: 'sum' })
            .update({ points: Number(row.points) + 1 })
        else await add('sum')(db)
      })
      inside -= 1
      done += 1
    }
    const isNeeded = async () => true
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).inLine(PLACE, { isNeeded }, work)))
    expect({ most, done }).to.deep.equal({ most: 1, done: 20 })
    expect(await database.knex('itsm_rate_limits').pluck('points')).to.deep.equal([20])
  })

  it('need not be waited for when the work is done by then, nor after a stop', async () => {
    const { end } = await holding(one)
    let looks = 0
    const isNeeded = async () => ++looks < 3
    expect(await other.inLine(PLACE, { isNeeded }, async () => 1)).to.equal(null)
    expect(looks).to.equal(3)
    const stop = new AbortController()
    const waiting = other.inLine(PLACE, { isNeeded: async () => true, signal: stop.signal }, async () => 1)
    await sleep(30)
    stop.abort()
    expect(await waiting).to.equal(null)
    await end()
  })

  it('are taken many at a time, those that are free', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `receiver ${index}`)
    const mine = one.holder('spec', 30_000)
    const theirs = other.holder('spec', 30_000)
    expect(await mine.take(names.slice(0, 700))).to.deep.equal(new Set(names.slice(0, 700)))
    expect(await theirs.take(names)).to.deep.equal(new Set(names.slice(700)))
    // Another holder of the same process is another one.
    expect((await one.holder('spec', 30_000).take(names)).size).to.equal(0)
    expect((await mine.take(names.slice(0, 3))).size).to.equal(3)

    await mine.release(names.slice(0, 100))
    expect(await mine.prolong(names)).to.deep.equal(new Set(names.slice(100, 700)))
    expect(await theirs.take(names.slice(0, 200))).to.deep.equal(new Set(names.slice(0, 100)))
    const written = await database.knex.transaction((db) => mine.fenceAll(db, names.slice(0, 200)))
    expect(written).to.deep.equal(new Set(names.slice(100, 200)))
    expect((await mine.take([])).size).to.equal(0)
  })

  it('are forgotten when nobody has had them for long', async () => {
    await one.attempt(PLACE, async () => 1)
    const { end } = await holding(one, { ...PLACE, name: 'long' } as typeof PLACE)
    await one.purge(new Date('2026-11-21T09:00:30Z'))
    expect(await leases().pluck('name')).to.deep.equal(['long'])
    await end()
  })
})
