/** What repeats cost, how long they count, and what is kept of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Invalid } from '../../../plugin/core/errors.js'
import { createOnce, type Repeatable } from '../../../plugin/operations/save/once.js'
import { dbOf } from '../../../plugin/storage/database/transaction.js'
import { findKey, purgeKeys, REPEATABLE_FOR } from '../../../plugin/storage/queues/idempotency-keys.js'
import { countStatements } from '../../support/count-statements.js'
import { testStore } from '../../support/database.js'
import { buildHouse } from '../../support/house.js'
import { withMounted } from '../../support/mounted.js'

describe('operations/once', () => {
  let now = new Date('2026-11-21T09:00:00Z')
  const clock = { now: () => now }
  const mounted = withMounted('mounted under a prefix', { clock, rateLimit: { burst: false, perHour: 1_000_000 } })
  const { database, ask } = mounted
  const statements = (work: () => Promise<unknown>) => countStatements(database.knex).during(work)
  const post = (path: string, body: object, headers: Record<string, string> = {}) => ask('@owen', 'POST', path, body, headers)
  const key = (text: string) => ({ 'Idempotency-Key': text })
  const rows = async () => Number(Object((await database.knex('itsm_idempotency_keys').count({ n: '*' }))[0]).n)
  afterEach(() => {
    now = new Date('2026-11-21T09:00:00Z')
  })

  it('costs nothing without a key, two statements with one, and few for a repeat', async () => {
    await post('/sites', { name: 'Warm' })
    const without = await statements(() => post('/sites', { name: 'One' }))
    expect(await rows()).to.equal(0)
    expect(await statements(() => post('/sites', { name: 'Two' }, key('a')))).to.equal(without + 2)
    expect(await statements(() => post('/sites', { name: 'Two' }, key('a')))).to.be.at.most(7)
    expect(await rows()).to.equal(1)
  })

  it('counts for 24 hours; then the key is new, also before the purge', async () => {
    const first = await post('/sites', { name: 'Day' }, key('day'))
    now = new Date(now.getTime() + REPEATABLE_FOR - 1_000)
    expect((await post('/sites', { name: 'Day' }, key('day'))).headers['idempotent-replayed']).to.equal('true')
    now = new Date(now.getTime() + 2_000)
    const other = await post('/sites', { name: 'Another day' }, key('day'))
    expect([first.status, other.status, other.headers['idempotent-replayed']]).to.deep.equal([201, 201, undefined])
    expect((await post('/sites', { name: 'Another day' }, key('day'))).headers['idempotent-replayed']).to.equal('true')
  })

  it('purges what has expired, in pieces, and nothing else', async () => {
    const { storage } = database
    const old = Array.from({ length: 300 }, (_, index) => ({
      ...{
        account_id: 'widgets',
        person_id: 1,
        digest: `old ${index}`,
        fingerprint: 'x',
        created_at: '2026-11-20 08:59:59.000',
      },
    }))
    await database.knex.batchInsert('itsm_idempotency_keys', old, 100)
    await post('/sites', { name: 'Fresh' }, key('fresh'))
    const before = await rows()
    await purgeKeys(storage, now)
    expect(before - (await rows())).to.equal(300)
    expect((await post('/sites', { name: 'Fresh' }, key('fresh'))).headers['idempotent-replayed']).to.equal('true')
  })

  it('rolls the work back with its key, and does work without effect again', async () => {
    const { storage } = database
    const house = buildHouse(storage, {})
    const once = createOnce({ ...house, storage, clock })
    const call = await house.by(mounted.world.id('@owen'))
    const of: Repeatable = { accountId: 'widgets', personId: 1, digest: 'd', fingerprint: 'f', isImplied: false }
    const failing = once(call, of, async (inside) => {
      await dbOf(
        storage,
        inside,
      )('itsm_sites').insert({ account_id: 'widgets', name: 'Half', created_at: '2026-11-21 09:00:00' })
      throw new Error('Broken')
    })
    expect(await failing.catch((error: Error) => error.message)).to.equal('Broken')
    expect(await database.knex('itsm_sites').where({ name: 'Half' })).to.deep.equal([])
    let runs = 0
    const unchanged = async () => {
      runs += 1
      return { result: runs, kept: null }
    }
    expect(await once(call, of, unchanged)).to.deep.equal({ result: 1 })
    expect(await once(call, of, unchanged)).to.deep.equal({ result: 2 })
    expect(await findKey(storage, of, now)).to.equal(null)
  })

  it('lets repeats in the same process wait without a transaction', async () => {
    const { storage } = database
    const once = createOnce({ ...buildHouse(storage, {}), storage, clock })
    const call = await buildHouse(storage, {}).by(mounted.world.id('@owen'))
    const of: Repeatable = { accountId: 'widgets', personId: 1, digest: 'crowd', fingerprint: 'f', isImplied: false }
    let runs = 0
    const work = async () => {
      runs += 1
      await sleep(50)
      return { result: 'now', kept: { record: null, text: 'kept' } }
    }
    let all: readonly object[] = []
    const writes = await countStatements(database.knex).writesOf(async () => {
      all = await Promise.all(Array.from({ length: 200 }, () => once(call, of, work)))
    })
    expect(runs).to.equal(1)
    expect(all.filter((one) => 'repeats' in one)).to.have.length(199)
    // The time of the call is an earlier one, which exports are told of.
    expect(writes.filter((sql) => sql.startsWith('insert') && !sql.includes('late_commits'))).to.have.length(1)
  })

  it('costs one statement with a source ID', async () => {
    await post('/sites', { name: 'Warm', source: 'HR', sourceID: 'warm' })
    const without = await statements(() => post('/sites', { name: 'Three' }))
    const before = await rows()
    // The embedded database is asked first if the source ID is taken.
    const looked = testStore() === 'server' ? 0 : 1
    expect(await statements(() => post('/sites', { name: 'Four', source: 'HR', sourceID: '4' }))).to.equal(without + 1 + looked)
    expect(await rows()).to.equal(before + 1)
  })

  it('answers a source ID that two processes create at the same time once, and refuses it with another body', async () => {
    const { storage } = database
    const house = buildHouse(storage, {})
    const call = await house.by(mounted.world.id('@owen'))
    const body = { name: 'Both', source: 'HR', sourceID: 'both' }
    const create = (fingerprint: string) => {
      const of: Repeatable = { accountId: 'widgets', personId: 1, digest: 'both', fingerprint, isImplied: true }
      return createOnce({ ...house, storage, clock })(call, of, async (inside) => {
        const site = await house.operations.save(inside, 'site', null, body)
        await sleep(50)
        return { result: site['id'], kept: { record: { type: 'site', id: Number(site['id']) }, text: '' } }
      })
    }
    const both = await Promise.all([create('one'), create('one')])
    const made = await database.knex('itsm_sites').where({ name: 'Both' })
    expect(made).to.have.length(1)
    const [id] = made.map((row) => Number(row.id))
    const idOf = (done: (typeof both)[number]) => ('result' in done ? done.result : done.repeats.record?.id)
    expect(both.map((done) => 'repeats' in done).sort()).to.deep.equal([false, true])
    expect(both.map(idOf)).to.deep.equal([id, id])
    const other = await create('another').catch((error: Error) => error)
    expect(other).to.be.instanceOf(Invalid)
    expect(JSON.stringify(other)).to.contain('taken')
  })

  it('answers a repeat whose work is refused by now, and hides nothing else that fails', async () => {
    const { storage } = database
    const house = buildHouse(storage, {})
    const call = await house.by(mounted.world.id('@owen'))
    const of: Repeatable = { accountId: 'widgets', personId: 1, digest: 'refused', fingerprint: 'f', isImplied: true }
    const kept = { record: { type: 'site', id: mounted.world.id('@amsterdam') }, text: 'first' }
    await createOnce({ ...house, storage, clock })(call, of, async () => ({ result: 1, kept }))
    const again = (error: Error, fingerprint = of.fingerprint, digest = of.digest) =>
      createOnce({ ...house, storage, clock })(call, { ...of, digest, fingerprint }, async () => {
        throw error
      }).catch((thrown: Error) => thrown)
    expect(await again(new Invalid([['name', 'blank']]))).to.deep.include({
      repeats: { ...Object(await findKey(storage, of, now)) },
    })
    expect(await again(new Error('A hook has found its own row'))).to.have.property('repeats')
    const broken = new Error('The disk is full')
    expect(await again(broken, 'another')).to.equal(broken)
    expect(await again(broken, 'new', 'unknown')).to.equal(broken)
  })
})
