import { expect } from 'chai'
import type { Call } from '../../../plugin/core/call.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'

/** Milliseconds for which totals are remembered. */
const REMEMBERED = 5_000

describe('totals of lists', () => {
  const house = withHouse()
  let admin = 0
  let call: Call

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    for (let number = 1; number <= 7; number++) await house.add('team', { name: `Team ${number}` })
    call = await house.by(admin)
  })

  beforeEach(() => house.clock.pass(REMEMBERED))

  const teams = async (page: number, perPage: number, of: Call = call, more: readonly [string, string][] = []) => {
    const parameters = [['page', `${page}`], ['per_page', `${perPage}`], ['sort', 'id'], ...more] as [string, string][]
    return house.operations.list(of, 'team', { parameters })
  }
  const totalOf = async (page: number, perPage: number) => (await teams(page, perPage)).totalEntries
  /** Statements that a page costs beside the references of its records, which teams have none of here. */
  const statementsOf = (work: () => Promise<unknown>) => countStatements(house.storage.knex).during(work)
  /** Like another process: nothing is told of it. */
  const elsewhere = {
    add: async (name: string) => {
      const [id] = await house.storage.knex(house.storage.table('teams')).insert({ account_id: 'acme', name, disabled: 0 })
      return Number(id)
    },
    remove: async (id: number) => house.storage.knex(house.storage.table('teams')).where({ id }).delete(),
  }

  it('are not counted where the page itself tells', async () => {
    expect(await statementsOf(async () => expect(await totalOf(1, 10)).to.equal(7))).to.equal(1)
    expect(await statementsOf(async () => expect(await totalOf(1, 7)).to.equal(7))).to.equal(1)
    expect(await statementsOf(async () => expect(await totalOf(3, 3)).to.equal(7))).to.equal(1)
    const nothing = () => teams(1, 5, call, [['name', 'No such team']])
    expect(await statementsOf(async () => expect((await nothing()).totalEntries).to.equal(0))).to.equal(1)
  })

  it('are counted once in a few seconds', async () => {
    expect(await statementsOf(async () => expect(await totalOf(1, 3)).to.equal(7))).to.equal(2)
    expect(await statementsOf(async () => expect(await totalOf(1, 3)).to.equal(7))).to.equal(1)
    expect(await statementsOf(async () => expect(await totalOf(2, 2)).to.equal(7))).to.equal(1)
    house.clock.pass(REMEMBERED - 1)
    expect(await statementsOf(() => totalOf(1, 3))).to.equal(1)
    house.clock.pass(1)
    expect(await statementsOf(() => totalOf(1, 3))).to.equal(2)
  })

  it('are counted once for all who ask at the same time', async () => {
    const pages = () => Promise.all(Array.from({ length: 8 }, () => totalOf(1, 3)))
    expect(await statementsOf(async () => expect(new Set(await pages())).to.deep.equal(new Set([7])))).to.equal(9)
  })

  it('are those of the caller: another account, another list or another filter is another total', async () => {
    expect((await teams(1, 3)).totalEntries).to.equal(7)
    expect((await teams(1, 3, await house.system('globex'))).totalEntries).to.equal(0)
    const some = await teams(1, 1, call, [['id', '1,2']])
    expect(some.totalEntries).to.equal(2)
    const user = await house.by(await house.addPerson('Bea User'))
    const ofUser = await house.operations.list(user, 'request', { parameters: [['per_page', '1']] })
    expect(ofUser.totalEntries).to.equal(0)
  })

  it('follow from what this process has saved, deleted and linked, at once', async () => {
    expect(await totalOf(1, 3)).to.equal(7)
    const id = await house.add('team', { name: 'Team 8' })
    expect(await totalOf(1, 3)).to.equal(8)
    await house.operations.save(call, 'team', id, { disabled: true })
    const enabled = () => teams(1, 3, call, [['disabled', 'false']])
    expect((await enabled()).totalEntries).to.equal(7)
    await house.operations.save(call, 'team', id, { disabled: false })
    expect((await enabled()).totalEntries).to.equal(8)
    const members = async () => {
      const within = { type: 'team', id, path: 'members' }
      return (await house.operations.list(call, 'person', { parameters: [['per_page', '1']], within })).totalEntries
    }
    for (const name of ['Cleo', 'Dora', 'Emma']) {
      const person = await house.addPerson(name)
      const before = await members()
      await house.operations.link(call, { type: 'team', id }, 'members', person)
      expect(await members()).to.equal(before + 1)
    }
    await house.operations.unlinkAll(call, { type: 'team', id }, 'members')
    expect(await members()).to.equal(0)
    await elsewhere.remove(id)
  })

  it('follow from changes of other records that a filter reads', async () => {
    const organization = await house.add('organization', { name: 'Acme Works' })
    const other = await house.add('organization', { name: 'Acme Plants' })
    for (const name of ['Fay', 'Gil', 'Hal']) await house.addPerson(name, [], { organization_id: organization })
    const found = async () => {
      const also = { path: ['organization', 'name'], op: 'in', values: ['Acme Works'] } as const
      return (await house.operations.list(call, 'person', { parameters: [['per_page', '1']], also })).totalEntries
    }
    expect(await found()).to.equal(3)
    await house.operations.save(call, 'organization', organization, { name: 'Acme Mills' })
    await house.operations.save(call, 'organization', other, { name: 'Acme Works' })
    expect(await found()).to.equal(0)
  })

  it('show what other processes do within a few seconds', async () => {
    expect(await totalOf(1, 3)).to.equal(7)
    const id = await elsewhere.add('Team of another process')
    expect(await totalOf(1, 3)).to.equal(7)
    house.clock.pass(REMEMBERED)
    expect(await totalOf(1, 3)).to.equal(8)
    await elsewhere.remove(id)
  })

  it('never keep a client that follows the pages from a record', async () => {
    expect(await totalOf(1, 3)).to.equal(7)
    const added = [await elsewhere.add('One more'), await elsewhere.add('And one more'), await elsewhere.add('The last one')]
    const ids: number[] = []
    let page = 1
    for (let isNext = true; isNext; page++) {
      const found = await teams(page, 3)
      ids.push(...found.items.map(({ id }) => Number(id)))
      isNext = page < found.totalPages
    }
    expect(page - 1).to.equal(4)
    expect(ids).to.have.length(10)
    expect(new Set(ids).size).to.equal(10)
    expect(await totalOf(1, 3)).to.equal(10)
    for (const id of added) await elsewhere.remove(id)
    // The total is higher than what there is: the pages after the last one are empty, and say so.
    expect(await totalOf(1, 3)).to.equal(10)
    expect(await teams(4, 3)).to.include({ totalEntries: 7, totalPages: 3 })
    expect(await totalOf(1, 3)).to.equal(7)
  })

  it('are counted in its own transaction for a call that is in one', async () => {
    expect(await totalOf(1, 3)).to.equal(7)
    const { inTransaction } = await import('../../../plugin/storage/database/transaction.js')
    await inTransaction(house.storage, call, async (inside) => {
      const id = Number((await house.operations.save(inside, 'team', null, { name: 'Not yet there' }))['id'])
      expect((await teams(1, 3, inside)).totalEntries).to.equal(8)
      if (house.storage.dialect === 'mysql') expect(await totalOf(1, 3)).to.equal(7)
      await house.operations.save(inside, 'team', id, { name: 'There' })
      throw new Error('not to be stored')
    }).catch((error: Error) => expect(error.message).to.equal('not to be stored'))
    expect(await totalOf(1, 3)).to.equal(7)
  })

  it('are not remembered when something was stored while they were counted', async () => {
    if (house.storage.dialect !== 'mysql') return
    const counting = totalOf(1, 3)
    const saving = house.add('team', { name: 'In the meantime' })
    await Promise.all([counting, saving])
    expect(await totalOf(1, 3)).to.equal(8)
    await elsewhere.remove(await saving)
  })

  it('of more than a thousand records are counted at most once a second, however much is stored', async () => {
    const { knex, table } = house.storage
    const names = Array.from({ length: 1_000 }, (_, index) => ({ account_id: 'acme', name: `Crowd ${index}`, disabled: 0 }))
    await knex.batchInsert(table('teams'), names, 100)
    try {
      expect(await totalOf(1, 3)).to.equal(1_007)
      const added = [await house.add('team', { name: 'Late' }), await house.add('team', { name: 'Later' })]
      expect(await statementsOf(async () => expect(await totalOf(1, 3)).to.equal(1_007))).to.equal(1)
      // The last page tells by itself.
      expect(await totalOf(11, 100)).to.equal(1_009)
      house.clock.pass(999)
      await house.operations.save(call, 'team', added[0] ?? 0, { name: 'Less late' })
      expect(await statementsOf(async () => expect(await totalOf(1, 3)).to.equal(1_007))).to.equal(1)
      house.clock.pass(1)
      expect(await statementsOf(async () => expect(await totalOf(1, 3)).to.equal(1_009))).to.equal(2)
      for (const id of added) await elsewhere.remove(id)
    } finally {
      await knex(table('teams')).where('name', 'like', 'Crowd %').delete()
    }
  })
})
