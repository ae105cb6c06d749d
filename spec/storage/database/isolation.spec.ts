import { expect } from 'chai'
import knex from 'knex'
import { createTable } from '../../../migrations/tools.js'
import { openStorage, type Storage } from '../../../plugin/storage/database/connections.js'
import { inOwnTransaction } from '../../../plugin/storage/database/own-transaction.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { testStore, withDatabase } from '../../support/database.js'

describe('transactions of a server', () => {
  const database = withDatabase({ migrated: false })
  let lent: knex.Knex

  before(async function () {
    if (testStore() !== 'server') this.skip()
    const { knex: db, dialect, table } = database.storage
    await createTable({ knex: db, dialect, table }, 'marks', (columns) => {
      columns.id()
      columns.integer('number').notNullable()
    })
    lent = knex({ client: 'mysql2', connection: database.url, pool: { min: 0, max: 2 } })
  })
  after(() => lent?.destroy())

  /** What a transaction reads before and after another one has committed a row. */
  const readTwice = async (begin: (work: (db: knex.Knex) => Promise<void>) => Promise<void>) => {
    const count = async (db: knex.Knex) => Number((await db('itsm_marks').count({ n: '*' }).first())?.['n'])
    const found: number[] = []
    await begin(async (db) => {
      found.push(await count(db))
      await database.knex('itsm_marks').insert({ number: 1 })
      found.push(await count(db))
    })
    return Number(found[1]) - Number(found[0])
  }
  const inCall = (storage: Storage) => (work: (db: knex.Knex) => Promise<void>) =>
    inTransaction(storage, {} as never, async (call) => work((call.transaction as { database: knex.Knex }).database))

  it('see what others have committed: on our own pool, and on one that the host lends', async () => {
    const borrowed = openStorage({ knex: lent }, 'itsm_')
    const own = openStorage({ url: database.url }, 'itsm_')
    expect(await readTwice(inCall(own))).to.equal(1)
    expect(await readTwice(inCall(borrowed))).to.equal(1)
    expect(await readTwice((work) => inOwnTransaction(own, work))).to.equal(1)
    expect(await readTwice((work) => inOwnTransaction(borrowed, work))).to.equal(1)
    await own.close()
  })

  it('leave the transactions of the host as they are', async () => {
    await readTwice(inCall(openStorage({ knex: lent }, 'itsm_')))
    expect(await readTwice((work) => lent.transaction(work))).to.equal(0)
  })

  it('need no statement of their own for that on our own pool', async () => {
    const own = openStorage({ url: database.url }, 'itsm_')
    const counter = countStatements(own.knex)
    await own.knex.raw('SELECT 1')
    const count = await counter.during(() => inCall(own)(async (db) => void (await db.raw('SELECT 1'))))
    await own.close()
    expect(count).to.equal(3)
  })
})
