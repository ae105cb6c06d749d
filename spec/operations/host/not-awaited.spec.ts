/** Operations in a transaction of the host that the host does not wait for. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { createPlugin, Invalid, type LocalApi, type Plugin } from '../../../plugin/index.js'
import { testStore, withDatabase } from '../../support/database.js'
import { hostPool } from '../../support/host-pool.js'
import { errorOf } from '../../support/house.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

const READ_COMMITTED = testStore() === 'server' ? { isolationLevel: 'read committed' as const } : {}

describe('an operation in a transaction of the host that nobody waits for', () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  const logged: string[] = []
  let pool: Knex
  let itsm: Plugin

  // Before the hook that drops the database.
  after(async () => {
    process.off('unhandledRejection', note)
    await itsm?.stop()
    await pool?.destroy()
  })
  const database = withDatabase({ file: true })

  before(async () => {
    pool = hostPool(database.url)
    itsm = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, database: { knex: pool } },
      log: { ...silent, error: (details: object, message: string) => void logged.push(`${message}: ${Object(details).err}`) },
    })
    await itsm.accounts.put({ id: 'acme', name: 'Acme' })
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    await pause(20)
    expect(unhandled.splice(0)).to.deep.equal([])
    for (const table of ['itsm_sites', 'itsm_team_members', 'itsm_teams']) await pool(table).delete()
    itsm.forget()
    logged.splice(0)
  })

  const begin = () => pool.transaction(READ_COMMITTED)
  const within = (transaction: Knex.Transaction) => itsm.asSystem('the ledger', 'acme', { transaction })
  const alone = () => itsm.asSystem('the ledger', 'acme')
  const names = async (): Promise<string[]> => (await pool('itsm_sites').pluck('name')).sort()

  it('is committed with the transaction, in the same tick', async () => {
    const trx = await begin()
    const api = within(trx)
    void api.create('site', { name: 'North' })
    void api.strict.create('site', { name: 'South' })
    await trx.commit()
    expect(await names()).to.deep.equal(['North', 'South'])
  })

  it('is committed with the function of the transaction, which has returned', async () => {
    await pool.transaction(async (trx) => {
      void within(trx).create('site', { name: 'North' })
    }, READ_COMMITTED)
    // Begun only while the commit waits for another one.
    await pool.transaction(async (trx) => {
      const api = within(trx)
      void api.create('site', { name: 'East' }).then(() => api.create('site', { name: 'West' }))
    }, READ_COMMITTED)
    expect(await names()).to.deep.equal(['East', 'North', 'West'])
  })

  it('is committed with a savepoint around it', async () => {
    const trx = await begin()
    await trx.transaction(async (part) => {
      void within(part).create('site', { name: 'Inner' })
    })
    void within(trx).create('site', { name: 'Outer' })
    await trx.commit()
    expect(await names()).to.deep.equal(['Inner', 'Outer'])
  })

  it('may be any operation', async () => {
    const person = await alone().create('person', { name: 'Eve', primary_email: 'eve@acme.example' })
    const [team, site] = [await alone().create('team', { name: 'Desk' }), await alone().create('site', { name: 'Old' })]
    const ids = { person: Number(person.id), team: Number(team.id), site: Number(site.id) }
    const begun: Record<string, (api: LocalApi) => Promise<unknown>> = {
      create: (api) => api.create('site', { name: 'Created' }),
      createMany: (api) => api.createMany('site', [{ name: 'Many' }]),
      update: (api) => api.update('site', ids.site, { name: 'New' }),
      link: (api) => api.link({ type: 'team', id: ids.team }, 'members', ids.person),
      unlink: (api) => api.unlink({ type: 'team', id: ids.team }, 'members', ids.person),
      duration: (api) => api.duration(1, { start: new Date(), end: new Date() }).catch(() => 0),
      read: (api) => api.read('site', ids.site),
      list: (api) => api.list('site'),
    }
    for (const [name, operation] of Object.entries(begun)) {
      const trx = await begin()
      let ended = false
      const promise = operation(within(trx))
      // Not heard: what follows is only told when it ends.
      Promise.prototype.then.call(promise, () => {
        ended = true
      })
      await trx.commit()
      expect(ended, name).to.equal(true)
    }
    expect(await names()).to.deep.equal(['Created', 'Many', 'New'])
    expect((await alone().read('team', ids.team)).id).to.equal(ids.team)
  })

  it('makes the commit fail with its error if it fails, and nothing is stored', async () => {
    const trx = await begin()
    trx.executionPromise.catch(() => {})
    void within(trx).create('site', { name: 'North' })
    void within(trx).create('site', { name: '' })
    expect(await errorOf(trx.commit())).to.be.instanceOf(Invalid)
    expect(trx.isCompleted()).to.equal(true)
    const failed = pool.transaction(async (inner) => {
      await within(inner).create('site', { name: 'South' })
      void within(inner).create('sites' as never, {})
    }, READ_COMMITTED)
    expect(await errorOf(failed)).to.be.instanceOf(RangeError)
    expect(await names()).to.deep.equal([])
    expect(logged).to.deep.equal([])
  })

  it('makes only the savepoint fail that it was begun in, if that is told', async () => {
    const trx = await begin()
    const part = trx.transaction(async (inner) => {
      void within(inner).create('site', { name: '' })
    })
    expect(await errorOf(part)).to.be.instanceOf(Invalid)
    await within(trx).create('site', { name: 'Outer' })
    await trx.commit()
    expect(await names()).to.deep.equal(['Outer'])
  })

  it('leaves the decision to a host that hears of the failure, however late', async () => {
    const trx = await begin()
    const refused = within(trx).create('site', { name: '' })
    await within(trx).create('site', { name: 'North' })
    const [result] = await Promise.allSettled([refused])
    expect(result.status).to.equal('rejected')
    await trx.commit()
    expect(await names()).to.deep.equal(['North'])
  })

  it('is not done after a rollback, and does not end the process', async () => {
    for (const reason of [undefined, new Error('no')]) {
      const trx = await begin()
      trx.executionPromise.catch(() => {})
      void within(trx).create('site', { name: 'North' })
      await trx.rollback(reason)
      await pause(50)
    }
    expect(await names()).to.deep.equal([])
  })

  it('is told to its caller, or else to the log, if the transaction has ended before', async () => {
    const trx = await begin()
    const api = within(trx)
    await trx.commit()
    expect(await errorOf(api.create('site', { name: 'Late' })))
      .to.have.property('message')
      .that.contains('the transaction has ended')
    await pause(20)
    expect(logged).to.deep.equal([])
    void api.create('site', { name: 'Later' })
    await pause(50)
    expect(logged.join()).to.match(/nobody has waited for it: Error: asSystem: the transaction has ended/)
    expect(await names()).to.deep.equal([])
  })
})
