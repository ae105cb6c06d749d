import { expect } from 'chai'
import type { Criterion } from '../../../plugin/schema/language/conditions.js'
import { createAccountIndex, isPlainList } from '../../../plugin/storage/records/account-index.js'
import { createQueries } from '../../../plugin/storage/records/query.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('the index of plain lists', () => {
  const BY_ID = [{ field: 'id', descending: true }]
  const account = (...values: string[]): Criterion => ({ path: ['account'], op: 'in', values })

  it('is for the records of one account by id', () => {
    expect(isPlainList(account('acme'), BY_ID)).to.equal(true)
    expect(isPlainList({ all: [{ all: [account('acme')] }, { all: [] }] }, BY_ID)).to.equal(true)
  })

  it('is not for lists that are restricted, several accounts, or another order', () => {
    const status: Criterion = { path: ['status'], op: 'in', values: ['assigned'] }
    for (const where of [
      account('acme', 'beta'),
      account(),
      { all: [] },
      status,
      { all: [account('acme'), status] },
      { any: [account('acme')] },
      { all: [account('acme'), { any: [] }] },
      { path: ['account'], op: 'not in', values: ['acme'] },
      { path: ['team', 'account'], op: 'in', values: ['acme'] },
    ] as const)
      expect(isPlainList(where, BY_ID), JSON.stringify(where)).to.equal(false)
    expect(isPlainList(account('acme'), [{ field: 'subject', descending: false }, ...BY_ID])).to.equal(false)
  })

  it('is not named again where the table has none', async () => {
    const index = createAccountIndex()
    const hints: string[] = []
    const query = async (hint: string) => {
      hints.push(hint)
      if (hint !== '') throw Object.assign(new Error('no such key'), { errno: 1176 })
      return 'rows'
    }
    expect(await index.run('itsm_teams', query)).to.equal('rows')
    expect(await index.run('itsm_teams', query)).to.equal('rows')
    expect(hints).to.deep.equal([' FORCE INDEX (`itsm_teams_account_id_index`)', '', ''])
    const broken = Object.assign(new Error('syntax'), { errno: 1064 })
    expect(await errorOf(index.run('itsm_people', () => Promise.reject(broken)))).to.equal(broken)
  })

  describe('in the database', () => {
    const house = withHouse()
    const statements: string[] = []
    const note = ({ sql }: { sql: string }) => void statements.push(sql)

    before(async () => {
      for (const name of ['One', 'Two', 'Three']) await house.add('team', { name })
      house.storage.knex.on('query', note)
    })
    after(() => void house.storage.knex.off('query', note))

    /** Ids of a page of teams, read by queries that know nothing of the table yet. */
    const pages = async () => {
      const queries = createQueries(house.storage, house.catalog)
      const type = house.catalog.type('team')
      const page = { type, where: account('acme'), sort: BY_ID, limit: 2, offset: 1 }
      statements.length = 0
      const once = await queries.cells({}, page, [['name']])
      const again = await queries.cells({}, page, [['name']])
      return [once, again].map((rows) => rows.map(([name]) => name))
    }
    const PAGES = [
      ['Two', 'One'],
      ['Two', 'One'],
    ]

    it('is used on servers', async () => {
      expect(await pages()).to.deep.equal(PAGES)
      const hinted = statements.filter((sql) => sql.includes('FORCE INDEX'))
      expect(hinted.length).to.equal(house.storage.dialect === 'mysql' ? 2 : 0)
    })

    it('need not be there', async function () {
      const { knex, dialect } = house.storage
      if (dialect !== 'mysql') return this.skip()
      const table = house.storage.table('teams')
      await knex.schema.alterTable(table, (builder) => void builder.dropIndex([], `${table}_account_id_index`))
      try {
        expect(await pages()).to.deep.equal(PAGES)
        expect(statements.filter((sql) => sql.includes('FORCE INDEX')).length).to.equal(1)
      } finally {
        await knex.schema.alterTable(table, (builder) => void builder.index(['account_id'], `${table}_account_id_index`))
      }
    })
  })
})
