import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { pino } from 'pino'
import { createTable } from '../../../migrations/tools.js'
import type { Call } from '../../../plugin/core/call.js'
import { TimedOut, Unavailable } from '../../../plugin/core/errors.js'
import { openStorage, type Storage } from '../../../plugin/storage/database/connections.js'
import {
  databaseFault,
  duplicateKeyName,
  isConnectionFault,
  isDuplicate,
  isTimeout,
  NoConnection,
  StatementTimeout,
} from '../../../plugin/storage/database/faults.js'
import { inOwnTransaction } from '../../../plugin/storage/database/own-transaction.js'
import { inSavepoint } from '../../../plugin/storage/database/savepoint.js'
import { afterCommit, dbOf, inTransaction } from '../../../plugin/storage/database/transaction.js'
import { embeddedDatabase } from '../../../plugin/storage/embedded/index.js'
import { createArrayRunner } from '../../../plugin/storage/records/run-as-arrays.js'
import { testStore, withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'
import { type StallingProxy, startStallingProxy } from '../../support/stalling-proxy.js'
import { call } from './outside-call.js'

function readArrays(storage: Storage, sql: string, isRepeated = true): Promise<readonly unknown[][]> {
  return createArrayRunner(storage)(storage.knex, { sql, bindings: [], isRepeated })
}

const STATEMENT = 300

describe('time limits', () => {
  const database = withDatabase({ migrated: false })

  before(async () => {
    const { knex, dialect, table } = database.storage
    await createTable({ knex, dialect, table }, 'names', (columns) => {
      columns.exact('name').notNullable()
      columns.primary('name')
    })
  })
  beforeEach(async () => {
    await database.knex('itsm_names').delete()
  })
  const names = () => database.knex('itsm_names').orderBy('name').pluck('name')

  async function insertTwice(db: Knex): Promise<void> {
    await db('itsm_names').insert([{ name: 'Secret too' }, { name: 'Secret too' }])
  }

  describe('of a call', () => {
    const insert = (within: Call, name: string) => dbOf(database.storage, within)('itsm_names').insert({ name })

    it('roll back when they are over, whatever the work waits for, and leave no lock', async () => {
      const end = new AbortController()
      const told: string[] = []
      const work = inTransaction(database.storage, { ...call, signal: end.signal }, async (within) => {
        await insert(within, 'one')
        afterCommit(within, () => told.push('committed'))
        setTimeout(() => end.abort(new TimedOut()), 20)
        await new Promise(() => {})
      })
      expect(await errorOf(work)).to.be.instanceOf(TimedOut)
      expect([await names(), told]).to.deep.equal([[], []])
      await database.knex('itsm_names').insert({ name: 'one' })
    })

    it('keep work that goes on all the same from changing anything', async () => {
      const end = new AbortController()
      let late: Promise<unknown> = Promise.resolve()
      const ended = new Promise<void>((resolve) => end.signal.addEventListener('abort', () => resolve()))
      const work = inTransaction(database.storage, { ...call, signal: end.signal }, (within) => {
        const db = dbOf(database.storage, within)
        late = ended.then(() => sleep(20)).then(() => db('itsm_names').insert({ name: 'late' }))
        late.catch(() => {})
        setTimeout(() => end.abort(new TimedOut()), 20)
        return late
      })
      expect(await errorOf(work)).to.be.instanceOf(TimedOut)
      await errorOf(late)
      expect(await names()).to.deep.equal([])
    })

    it('let nothing begin once they are over', async () => {
      const over = { ...call, signal: AbortSignal.abort(new TimedOut()) }
      expect(() => dbOf(database.storage, over)).to.throw(TimedOut)
      expect(await errorOf(inTransaction(database.storage, over, async () => 'done'))).to.be.instanceOf(TimedOut)
    })

    it('make no difference to work that is in time', async () => {
      const end = new AbortController()
      await inTransaction(database.storage, { ...call, signal: end.signal }, async (within) => {
        await insert(within, 'one')
        await errorOf(inSavepoint(database.storage, within, () => insert(within, 'one').then(() => {})))
        await insert(within, 'two')
      })
      end.abort(new TimedOut())
      expect(await names()).to.deep.equal(['one', 'two'])
    })
  })

  it('leave errors of statements that show no values: not in the message, nor in what loggers print besides', async () => {
    await database.knex('itsm_names').insert({ name: 'Secret' })
    for (const work of [
      database.knex('itsm_names').insert({ name: 'Secret' }).then(),
      database.knex.raw('select name from itsm_names where nme = ?', ['Secret']).then(),
      inTransaction(database.storage, call, (within) => insertTwice(dbOf(database.storage, within))),
    ]) {
      const error = await errorOf(work)
      expect(error.message).to.include('?')
      expect(JSON.stringify(pino.stdSerializers.err(error))).to.not.include('Secret')
      expect(Object.entries(error).flat().join()).to.not.include('Secret')
    }
    const error = await errorOf(database.knex('itsm_names').insert({ name: 'Secret' }).then())
    expect([isDuplicate(error), duplicateKeyName(error)]).to.deep.equal([
      true,
      testStore() === 'server' ? 'PRIMARY' : duplicateKeyName(error),
    ])
  })

  it('of a pool that has been closed say that there is no connection', async () => {
    const storage = openStorage({ url: testStore() === 'server' ? database.url : 'sqlite::memory:' }, 'itsm_')
    await storage.knex.raw('select 1')
    await storage.close()
    for (const work of [
      storage.knex.raw('select 1').then(),
      inTransaction(storage, call, async () => {}),
      readArrays(storage, 'select 1'),
    ]) {
      const error = await errorOf(work)
      expect(error).to.be.instanceOf(NoConnection)
      expect(databaseFault(error)).to.be.instanceOf(Unavailable)
    }
  })

  it('of a pool that the host has destroyed say the same at once, instead of waiting for a connection', async () => {
    const lent = testStore() === 'server' ? knex({ client: 'mysql2', connection: database.url }) : embeddedDatabase(':memory:')
    const storage = openStorage({ knex: lent }, 'itsm_')
    await storage.knex.raw('select 1')
    await lent.destroy()
    const start = performance.now()
    for (const work of [
      storage.knex.raw('select 1').then(),
      inTransaction(storage, call, async () => {}),
      readArrays(storage, 'select 1'),
    ]) {
      expect(await errorOf(work)).to.be.instanceOf(NoConnection)
    }
    expect(performance.now() - start).to.be.below(500)
  })

  describe('of statements', () => {
    let proxy: StallingProxy
    let storage: Storage

    before(function () {
      // An embedded database has neither a network nor a server that could fall silent.
      if (testStore() === 'embedded') this.skip()
    })
    beforeEach(async () => {
      proxy = await startStallingProxy(database.url)
      storage = openStorage({ url: proxy.url, pool: { max: 2 } }, 'itsm_', STATEMENT)
    })
    afterEach(async () => {
      proxy?.resume()
      await storage?.close()
      await proxy?.close()
    })

    /** Milliseconds that the work takes to fail, and its error. */
    async function failing(work: () => Promise<unknown>): Promise<{ error: Error; took: number }> {
      const start = performance.now()
      const error = await errorOf(work())
      return { error, took: performance.now() - start }
    }

    for (const [what, read] of [
      ['knex', () => storage.knex('itsm_names').where('name', '>', '').count()],
      ['arrays', () => readArrays(storage, 'select count(*) from itsm_names', false)],
      ['prepared statements', () => readArrays(storage, 'select count(*) from itsm_names')],
    ] as const) {
      it(`give a statement up that is not answered, and its connection: ${what}`, async () => {
        await read()
        proxy.stall()
        const { error, took } = await failing(async () => read())
        expect(error).to.be.instanceOf(StatementTimeout)
        expect(databaseFault(error)).to.be.instanceOf(TimedOut)
        expect(took).to.be.within(STATEMENT - 20, STATEMENT + 250)
        proxy.resume()
        expect(await read()).to.have.length(1)
        expect([proxy.open, proxy.connections]).to.deep.equal([1, 2])
      })
    }

    it('hold in a pool of the host too, which gets no connection back that is still busy', async () => {
      const url = new URL(proxy.url)
      const connection = { host: url.hostname, port: Number(url.port), user: url.username, database: url.pathname.slice(1) }
      const lent = knex({ client: 'mysql2', connection, pool: { min: 0, max: 1 }, log: { warn() {} } })
      try {
        const borrowed = openStorage({ knex: lent }, 'itsm_', STATEMENT)
        await borrowed.knex.raw('select 1')
        const statement = borrowed.knex.raw("select sleep(1), 'late' as answer").then()
        expect(await errorOf(statement)).to.be.instanceOf(StatementTimeout)
        expect((await lent.raw("select 'mine' as answer"))[0]).to.deep.equal([{ answer: 'mine' }])
        // The host's own statements may take their time.
        expect((await lent.raw("select sleep(0.5), 'mine' as answer"))[0][0].answer).to.equal('mine')
        proxy.stall()
        const { error, took } = await failing(() => borrowed.knex.raw('select 1').then())
        expect(error).to.be.instanceOf(StatementTimeout)
        const second = await failing(() => borrowed.knex.raw('select 1').then())
        expect(second.error).to.be.instanceOf(NoConnection)
        expect([took, second.took].every((time) => time < STATEMENT + 250)).to.equal(true)
      } finally {
        proxy.resume()
        await lent.destroy()
      }
    })

    it('say that there is no connection when a server accepts and says nothing', async () => {
      proxy.stall()
      const { error, took } = await failing(() => storage.knex.raw('select 1').then())
      expect(error).to.be.instanceOf(NoConnection)
      expect(took).to.be.below(STATEMENT + 250)
    })

    it('roll back a transaction in which the server falls silent, and leave no lock', async () => {
      const told: string[] = []
      const work = inTransaction(storage, call, async (within) => {
        await dbOf(storage, within)('itsm_names').insert({ name: 'one' })
        afterCommit(within, () => told.push('committed'))
        proxy.stall()
        await inSavepoint(storage, within, () => dbOf(storage, within)('itsm_names').insert({ name: 'two' }))
      })
      expect(await errorOf(work)).to.be.instanceOf(StatementTimeout)
      // The server learns of it when it can be reached again.
      proxy.resume()
      await database.knex('itsm_names').insert({ name: 'one' })
      expect([await names(), told]).to.deep.equal([['one'], []])
    })

    it('end the statement of a transaction at once when the time of its call is over', async () => {
      const end = new AbortController()
      const patient = openStorage({ url: proxy.url }, 'itsm_')
      try {
        const { error, took } = await failing(() =>
          inTransaction(patient, { ...call, signal: end.signal }, async (within) => {
            await dbOf(patient, within)('itsm_names').insert({ name: 'one' })
            setTimeout(() => end.abort(new TimedOut()), 50)
            await dbOf(patient, within).raw('select sleep(30)')
          }),
        )
        expect(error).to.be.instanceOf(TimedOut)
        expect(took).to.be.below(2000)
        // A server looks every five seconds whether somebody still waits for a sleep.
        await database.knex('itsm_names').insert({ name: 'one' })
      } finally {
        await patient.close()
      }
    }).timeout(20_000)

    for (const [when, kept] of [
      ['before', []],
      ['after', ['one']],
    ] as const) {
      it(`do not call a commit done that is not answered; it is lost ${when} it reaches the server`, async () => {
        const told: string[] = []
        void proxy.stallAt('COMMIT;', when)
        const work = inTransaction(storage, call, async (within) => {
          await dbOf(storage, within)('itsm_names').insert({ name: 'one' })
          afterCommit(within, () => told.push('committed'))
        })
        const error = await errorOf(work)
        expect(databaseFault(error)).to.be.instanceOf(TimedOut)
        await sleep(50)
        expect([await names(), told]).to.deep.equal([kept, []])
      })
    }

    it('tell the server, which ends what nobody waits for any more', async () => {
      const mark = `spec ${Math.random()}`
      const running = async () =>
        (await database.knex('information_schema.processlist').where('info', 'like', `%many /* ${mark}%`).pluck('id')).length
      const long = `select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns many /* ${mark} */`
      const error = await errorOf(storage.knex.raw(long).then())
      expect(isTimeout(error)).to.equal(true)
      for (let tries = 0; (await running()) > 1 && tries < 50; tries++) await sleep(100)
      expect(await running()).to.equal(1)
    }).timeout(10_000)

    it('do not hold for work that takes its time', async () => {
      await storage.unhurried(async (patient) => {
        expect(await errorOf(storage.knex.raw('select sleep(1)').then())).to.be.instanceOf(StatementTimeout)
        await patient.knex.raw('select sleep(3)')
      })
    }).timeout(10_000)

    describe('on connections that the server gave up while nobody used them', () => {
      it('are no reason to refuse what only reads', async () => {
        await storage.knex.raw('select 1')
        proxy.loseIdle()
        expect(await storage.knex('itsm_names').select('name')).to.deep.equal([])
        proxy.loseIdle()
        expect(await readArrays(storage, 'select 1')).to.deep.equal([[1]])
        proxy.loseIdle()
        const withTable = storage.knex.with('all', (all) => all.from('itsm_names').select('name'))
        expect(await withTable.from('all').select('name')).to.deep.equal([])
        proxy.loseIdle()
        expect(await withTable.clone().from('all').pluck('name')).to.deep.equal([])
      })

      it('are no reason to refuse a transaction', async () => {
        await storage.knex.raw('select 1')
        proxy.loseIdle()
        let runs = 0
        await inTransaction(storage, call, async (within) => {
          runs += 1
          await dbOf(storage, within)('itsm_names').insert({ name: 'one' })
        })
        proxy.loseIdle()
        await inOwnTransaction(storage, async (db) => {
          runs += 1
          await db('itsm_names').insert({ name: 'two' })
        })
        expect([await names(), runs]).to.deep.equal([['one', 'two'], 2])
      })

      it('do not have a write done twice', async () => {
        await storage.knex.raw('select 1')
        proxy.loseIdle()
        const error = await errorOf(storage.knex('itsm_names').insert({ name: 'one' }).then())
        expect(databaseFault(error)).to.be.instanceOf(Unavailable)
        expect(await names()).to.deep.equal([])
        await storage.knex('itsm_names').insert({ name: 'one' })
        proxy.loseIdle()
        const remove = storage.knex('itsm_names').with('all', storage.knex.select(storage.knex.raw("'one' as name")))
        expect(databaseFault(await errorOf(remove.delete().then()))).to.be.instanceOf(Unavailable)
        expect(await names()).to.deep.equal(['one'])
      })

      it('do not begin a transaction anew that has begun', async () => {
        let runs = 0
        const work = inTransaction(storage, call, async (within) => {
          runs += 1
          await dbOf(storage, within)('itsm_names').insert({ name: 'one' })
          proxy.loseIdle()
          await dbOf(storage, within)('itsm_names').select('name')
        })
        expect(databaseFault(await errorOf(work))).to.be.instanceOf(Unavailable)
        expect([await names(), runs]).to.deep.equal([[], 1])
      })
    })

    it('do without a connection to a server that takes no writes, since another one may', async () => {
      const one = openStorage({ url: proxy.url, pool: { max: 1 } }, 'itsm_')
      try {
        await one.knex.raw('set session transaction read only')
        const insert = () => one.knex('itsm_names').insert({ name: 'one' }).then()
        const error = await errorOf(insert())
        expect(error).to.have.property('errno', 1792)
        expect(databaseFault(error)).to.be.instanceOf(Unavailable)
        await insert()
      } finally {
        await one.close()
      }
    })

    it('call it away when a user has no connection left', async () => {
      const user = `u${Math.random().toString(36).slice(2, 12)}`
      await database.knex.raw(`create user ??@'%' identified by 'secret' with max_user_connections 1`, [user])
      try {
        await database.knex.raw(`grant all on ??.* to ??@'%'`, [new URL(database.url).pathname.slice(1), user])
        const url = new URL(proxy.url)
        url.username = user
        url.password = 'secret'
        const limited = openStorage({ url: url.href }, 'itsm_')
        try {
          const both = await Promise.allSettled([1, 2].map(() => limited.knex.raw('select sleep(0.3)').then()))
          const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
          expect(refused).to.have.nested.property('cause.errno', 1226)
          expect(isConnectionFault(refused)).to.equal(true)
        } finally {
          await limited.close()
        }
      } finally {
        await database.knex.raw(`drop user ??@'%'`, [user])
      }
    })
  })
})
