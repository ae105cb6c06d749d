import { expect } from 'chai'
import { countStatements } from '../../../support/count-statements.js'
import { createFestival, festival } from '../../../support/festival.js'
import { refusalOf, withHouse } from '../../../support/house.js'

describe('links of a batch', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })

  it('cost as many statements for many records as for a few', async () => {
    const people = await Promise.all(['Ann', 'Ben', 'Cas'].map((name) => house.addPerson(name)))
    const teams: number[] = []
    for (let index = 0; index < 20; index++) teams.push(await house.add('team', { name: `Team ${index}` }))
    const call = await house.system()
    const counter = countStatements(house.storage.knex)
    const costOf = (ids: readonly number[], members: readonly number[]) =>
      counter.during(async () => {
        const items = ids.map((id) => ({ id, body: { member_ids: members } }))
        const outcomes = await house.operations.saveAll(call, 'team', items)
        expect(outcomes.filter(({ outcome }) => outcome !== 'updated')).to.deep.equal([])
      })
    const few = await costOf(teams.slice(0, 2), people)
    expect(await costOf(teams.slice(2), people)).to.equal(few)
    const fewChanged = await costOf(teams.slice(0, 2), people.slice(1))
    expect(await costOf(teams.slice(2), people.slice(1))).to.equal(fewChanged)
  })

  it('may be hundreds for one record', async () => {
    const account_id = 'acme'
    const rows = Array.from({ length: 700 }, (_, index) => ({
      account_id,
      name: `P ${index}`,
      primary_email: `${index}@x.example`,
    }))
    await house.storage.knex.batchInsert(house.storage.table('people'), rows, 50)
    const ids = (await house.storage.knex(house.storage.table('people')).where('name', 'like', 'P %')).map(({ id }) =>
      Number(id),
    )
    const team = await house.add('team', { name: 'Crowd', member_ids: ids })
    expect(await house.storage.knex(house.storage.table('team_members')).where({ team_id: team })).to.have.length(700)
  })
})

describe('links that have to make sense', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })
  let admin = 0
  let main = 0
  let tent = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    main = await house.add('stage', { name: 'Main' })
    tent = await house.add('stage', { name: 'Tent' })
  })

  const add = (subject: string, more: object = {}) => house.add('act', { subject, stage_id: main, ...more })
  const save = async (id: number, body: object) => house.operations.save(await house.by(admin), 'act', id, body)
  const link = async (id: number, path: string, other: number) =>
    house.operations.link(await house.by(admin), { type: 'act', id }, path, other)
  const pairs = async () =>
    (await house.storage.knex(house.storage.table('act_successions'))).map((row) =>
      [Number(row.predecessor_id), Number(row.successor_id)].join(' > '),
    )

  describe('within something', () => {
    it('lead only to records that agree in the field, from either side', async () => {
      const [here, there] = [await add('Here'), await add('There', { stage_id: tent })]
      const before = await pairs()
      expect(await refusalOf(link(here, 'predecessors', there))).to.deep.equal([['predecessors', 'other_change']])
      expect(await refusalOf(link(here, 'successors', there))).to.deep.equal([['successors', 'other_change']])
      expect(await refusalOf(save(here, { successor_ids: [there] }))).to.deep.equal([['successors', 'other_change']])
      expect(await pairs()).to.deep.equal(before)
      await link(here, 'successors', await add('Here too'))
      expect(await pairs()).to.have.length(before.length + 1)
    })

    it('know what a new record is going to be, and what an update makes of it', async () => {
      const there = await add('There', { stage_id: tent })
      expect(await refusalOf(add('New', { predecessor_ids: [there] }))).to.deep.equal([['predecessors', 'other_change']])
      await add('New', { stage_id: tent, predecessor_ids: [there] })
      const moving = await add('Moving')
      await save(moving, { stage_id: tent, successor_ids: [there] })
      expect(await pairs()).to.include(`${moving} > ${there}`)
    })

    it('keep a linked record where it is, whichever side it is on', async () => {
      const first = await add('First')
      const second = await add('Second', { predecessor_ids: [first] })
      expect(await refusalOf(save(first, { stage_id: tent }))).to.deep.equal([['successors', 'other_change']])
      expect(await refusalOf(save(second, { stage_id: tent }))).to.deep.equal([['predecessors', 'other_change']])
      await save(first, { stage_id: tent, successor_ids: [] })
      await save(second, { stage_id: tent })
    })
  })

  describe('without circles', () => {
    it('do not lead back, over however many others', async () => {
      const [a, b, c] = [await add('A'), await add('B'), await add('C')]
      await link(b, 'predecessors', a)
      await link(b, 'successors', c)
      expect(await refusalOf(link(a, 'predecessors', c))).to.deep.equal([['predecessors', 'cycle']])
      expect(await refusalOf(link(c, 'successors', a))).to.deep.equal([['successors', 'cycle']])
      expect(await refusalOf(link(a, 'predecessors', a))).to.deep.equal([['predecessors', 'cycle']])
      // Two ways to the same place are no circle.
      await link(c, 'predecessors', a)
      expect(await pairs()).to.include.members([`${a} > ${b}`, `${b} > ${c}`, `${a} > ${c}`])
    })

    it('are checked for new records as well', async () => {
      const [first, last] = [await add('First'), await add('Last')]
      await link(last, 'predecessors', first)
      const middle = await add('Middle', { predecessor_ids: [first], successor_ids: [last] })
      expect(await pairs()).to.include.members([`${first} > ${middle}`, `${middle} > ${last}`])
      const backwards = add('Backwards', { predecessor_ids: [last], successor_ids: [first] })
      expect(await refusalOf(backwards)).to.deep.equal([['successors', 'cycle']])
    })

    it('may be turned round, step by step and in one go', async () => {
      const [a, b] = [await add('A'), await add('B')]
      await link(a, 'successors', b)
      expect(await refusalOf(link(b, 'successors', a))).to.deep.equal([['successors', 'cycle']])
      await house.operations.unlink(await house.by(admin), { type: 'act', id: a }, 'successors', b)
      await link(b, 'successors', a)
      expect(await pairs()).to.include(`${b} > ${a}`)
      const outcomes = await house.operations.saveAll(await house.system(), 'act', [
        { id: a, body: { successor_ids: [b] } },
        { id: b, body: { successor_ids: [] } },
      ])
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['updated', 'updated'])
      expect(await pairs())
        .to.include(`${a} > ${b}`)
        .and.not.include(`${b} > ${a}`)
    })

    it('are not closed by two who add a half each at once', async () => {
      for (let round = 0; round < 4; round++) {
        const [a, b] = [await add('A'), await add('B')]
        const halves = await Promise.allSettled([link(a, 'predecessors', b), link(b, 'predecessors', a)])
        expect(halves.filter(({ status }) => status === 'rejected')).to.have.length(1)
        const made = (await pairs()).filter((pair) => [`${a} > ${b}`, `${b} > ${a}`].includes(pair))
        expect(made).to.have.length(1)
      }
    })

    it('are refused for the records of a batch that have some, and only for those', async () => {
      const [a, b, c] = [await add('A'), await add('B'), await add('C')]
      const outcomes = await house.operations.saveAll(await house.system(), 'act', [
        { id: a, body: { successor_ids: [b] } },
        { id: b, body: { successor_ids: [c] } },
        { id: c, body: { successor_ids: [a] } },
      ])
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['updated', 'updated', 'refused'])
      expect(await pairs()).to.include.members([`${a} > ${b}`, `${b} > ${c}`])
    })

    it('are followed through long chains', async () => {
      const ids: number[] = []
      for (let index = 0; index < 3; index++) ids.push(await add(`Ring ${index}`))
      const [first = 0] = ids
      const chain = Array.from({ length: 1_200 }, (_, index) => index + 1_000_000)
      const rows = [first, ...chain].map((id, index) => ({ predecessor_id: id, successor_id: chain[index] ?? ids[1] ?? 0 }))
      await house.storage.knex.batchInsert(house.storage.table('act_successions'), rows, 100)
      expect(await refusalOf(link(ids[1] ?? 0, 'successors', first))).to.deep.equal([['successors', 'cycle']])
      await link(ids[1] ?? 0, 'successors', ids[2] ?? 0)
    })
  })
})
