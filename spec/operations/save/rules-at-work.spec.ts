import { expect } from 'chai'
import { countStatements } from '../../support/count-statements.js'
import { createFestival, festival } from '../../support/festival.js'
import { refusalOf, withHouse } from '../../support/house.js'

describe('rules that work on other records', () => {
  const house = withHouse({
    records: festival,
    migrations: [createFestival],
    before: {
      'act.save': [
        ({ fail, next }) => {
          if (next['subject'] === 'Refused') fail('subject', 'locked')
        },
      ],
    },
  })
  let admin = 0
  let main = 0
  let tent = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    main = await house.add('stage', { name: 'Main' })
    tent = await house.add('stage', { name: 'Tent' })
  })
  const save = async (type: string, id: number | null, body: object) =>
    Number((await house.operations.save(await house.by(admin), type, id, body))['id'])

  describe('count what refers to them', () => {
    const timesOf = async (id: number) => (await house.row('genre', id))?.['times_played']
    const act = (body: object) => save('act', null, { subject: 'Act', stage_id: main, ...body })

    it('up and down, whoever else is not told', async () => {
      const [folk, ska] = [await house.add('genre', { name: 'Folk' }), await house.add('genre', { name: 'Ska' })]
      const { updated_at } = (await house.row('genre', folk)) ?? {}
      house.clock.pass(60_000)
      const lines = (await house.table('audit_lines')).filter((line) => line['owner_type'] === 'genre').length
      const id = await act({ genre_id: folk })
      await act({ genre_id: folk })
      expect([await timesOf(folk), await timesOf(ska)]).to.deep.equal([2, 0])
      await save('act', id, { genre_id: ska })
      expect([await timesOf(folk), await timesOf(ska)]).to.deep.equal([1, 1])
      await save('act', id, { genre_id: null })
      expect([await timesOf(folk), await timesOf(ska)]).to.deep.equal([1, 0])
      expect(await house.row('genre', folk)).to.include({ updated_at })
      expect((await house.table('audit_lines')).filter((line) => line['owner_type'] === 'genre')).to.have.length(lines)
    })

    it('never below zero', async () => {
      const folk = await house.add('genre', { name: 'Folk' })
      const id = await act({ genre_id: folk })
      await house.storage.knex(house.storage.table('genres')).where({ id: folk }).update({ times_played: null })
      await save('act', id, { genre_id: null })
      expect(await timesOf(folk)).to.equal(0)
    })

    it('for a whole batch, without what is refused', async () => {
      const folk = await house.add('genre', { name: 'Folk' })
      const items = Array.from({ length: 10 }, (_, n) => ({
        id: null,
        body: { subject: n === 3 ? 'Refused' : `Act ${n}`, stage_id: main, genre_id: folk },
      }))
      await house.operations.saveAll(await house.by(admin), 'act', items)
      expect(await timesOf(folk)).to.equal(9)
    })

    it('not when a caller tries to set it', async () => {
      const folk = await house.add('genre', { name: 'Folk', times_played: 9 })
      expect(await timesOf(folk)).to.equal(0)
    })
  })

  describe('look at the records of the same batch', () => {
    it('and refuse those that close a circle, but not what hangs below it', async () => {
      const ids = await Promise.all(['A', 'B', 'C', 'D'].map((name) => house.add('organization', { name: `Circle ${name}` })))
      const [a = 0, b = 0, c = 0, d = 0] = ids
      const moves = [[a, b] as const, [b, a] as const, [c, a] as const, [d, c] as const]
      const items = moves.map(([id, parent_id]) => ({ id, body: { parent_id } }))
      const outcomes = await house.operations.saveAll(await house.by(admin), 'organization', items)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'refused', 'updated', 'updated'])
      const parents = await Promise.all(ids.map(async (id) => (await house.row('organization', id))?.['parent_id']))
      expect(parents).to.deep.equal([null, null, a, c])
    })
  })

  describe('keep the other side of a relation', () => {
    const relate = async (owner: number, id: number | null, body: object) =>
      Number(
        (await house.operations.save(await house.by(admin), 'stage_relation', id, body, { type: 'stage', id: owner }))['id'],
      )
    const relations = async () =>
      (await house.table('stage_relations')).map((row) =>
        [row['owner_id'], row['kind'], row['stage_id']].map((value) => String(value)).join(' '),
      )

    it('through its whole life', async () => {
      const id = await relate(main, null, { related_stage_id: tent, kind: 'left_of' })
      expect(await relations()).to.deep.equal([`${main} left_of ${tent}`, `${tent} right_of ${main}`])
      await relate(main, id, { kind: 'near' })
      expect(await relations()).to.deep.equal([`${main} near ${tent}`, `${tent} near ${main}`])
      const barn = await house.add('stage', { name: 'Barn' })
      await relate(main, id, { stage_id: barn, kind: 'right_of' })
      expect(await relations()).to.deep.equal([`${main} right_of ${barn}`, `${barn} left_of ${main}`])
      await house.operations.remove(await house.by(admin), 'stage_relation', id, { type: 'stage', id: main })
      expect(await relations()).to.deep.equal([])
    })

    it('from whichever side it is changed', async () => {
      await relate(main, null, { related_stage_id: tent, kind: 'left_of' })
      const other = Number((await house.table('stage_relations')).find((row) => Number(row['owner_id']) === tent)?.['id'])
      await relate(tent, other, { kind: 'left_of' })
      expect(await relations()).to.deep.equal([`${main} right_of ${tent}`, `${tent} left_of ${main}`])
      await house.operations.removeAll(await house.by(admin), 'stage_relation', { type: 'stage', id: tent })
      expect(await relations()).to.deep.equal([])
    })

    it('which goes with the record', async () => {
      const gone = await house.add('stage', { name: 'Gone' })
      await relate(main, null, { related_stage_id: gone, kind: 'left_of' })
      await relate(main, null, { related_stage_id: tent, kind: 'left_of' })
      await house.operations.remove(await house.system(), 'stage', gone)
      expect(await relations()).to.deep.equal([`${main} left_of ${tent}`, `${tent} right_of ${main}`])
      const other = Number((await house.table('stage_relations'))[0]?.['id'])
      await house.operations.remove(await house.system(), 'stage_relation', other, { type: 'stage', id: main })
      expect(await relations()).to.deep.equal([])
    })

    it('which is never the record itself', async () => {
      expect(await refusalOf(relate(main, null, { stage_id: main, kind: 'near' }))).to.deep.equal([['stage', 'not_allowed']])
    })
  })

  describe('ask for the roles of people', () => {
    it('in the account of the record', async () => {
      const lead = await house.addPerson('Lea Lead', ['project_manager'])
      await save('stage', main, { manager_id: lead })
      const owner = await house.addPerson('Olga Owner', ['account_owner'])
      expect(await refusalOf(save('stage', main, { manager_id: owner }))).to.deep.equal([
        ['manager', 'role_missing', { role: 'project_manager' }],
      ])
      await house.permissions.add(await house.system('globex'), owner, 'globex', ['project_manager'])
      expect(await refusalOf(save('stage', main, { manager_id: owner }))).to.have.length(1)
    })

    it('with one query for a whole batch', async () => {
      const people: number[] = []
      for (const name of ['Ann', 'Ben', 'Cas', 'Dee', 'Eve', 'Fay']) people.push(await house.addPerson(`${name} Anybody`))
      const call = await house.by(admin)
      const counter = countStatements(house.storage.knex)
      const saving = (ids: readonly number[]) => () =>
        house.operations.saveAll(
          call,
          'stage',
          ids.map((manager_id) => ({ id: null, body: { name: 'S', manager_id } })),
        )
      expect(await counter.during(saving(people))).to.equal(await counter.during(saving(people.slice(0, 2))))
    })
  })
})
