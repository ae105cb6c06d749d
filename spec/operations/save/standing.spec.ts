import { expect } from 'chai'
import { countStatements } from '../../support/count-statements.js'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('what people may do because of other records', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })
  let admin = 0
  let lead = 0
  let hand = 0
  let user = 0
  let crew = 0
  let stage = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    lead = await house.addPerson('Lea Lead', ['project_manager'])
    hand = await house.addPerson('Hal Hand')
    user = await house.addPerson('Ulla User')
    crew = await house.add('team', { name: 'Crew', member_ids: [hand] })
    stage = await house.add('stage', { name: 'Main', manager_id: lead, crew_id: crew })
  })

  const save = async (by: number, type: string, id: number | null, body: object) =>
    house.operations.save(await house.by(by), type, id, body)
  const isForbidden = async (work: Promise<unknown>) => (await errorOf(work)).name === 'Forbidden'

  describe('by way of a reference', () => {
    it('lets whoever the other record names create and change', async () => {
      const id = Number((await save(lead, 'act', null, { subject: 'Mine', stage_id: stage }))['id'])
      await save(lead, 'act', id, { subject: 'Still mine' })
      expect(await house.row('act', id)).to.include({ subject: 'Still mine' })
      expect(await isForbidden(save(user, 'act', id, { subject: 'Yours' }))).to.equal(true)
      expect(await isForbidden(save(user, 'act', null, { subject: 'Yours', stage_id: stage }))).to.equal(true)
    })

    it('takes the reference of a new record in any form, and only what it refers to', async () => {
      const other = await house.add('stage', { name: 'Not mine' })
      await save(lead, 'act', null, { subject: 'As object', stage: { id: stage } })
      await save(lead, 'act', null, { subject: 'As text', stage_id: String(stage) })
      for (const more of [
        { stage_id: other },
        {},
        { stage_id: null },
        { stage_id: 'x' },
        { manager_id: lead, stage_id: other },
      ]) {
        expect(await isForbidden(save(lead, 'act', null, { subject: 'Not mine', ...more })), JSON.stringify(more)).to.equal(
          true,
        )
      }
    })

    it('takes the word of new records for whom they name, in fields that the caller may set', async () => {
      await save(user, 'genre', null, { name: 'Folk', friend_id: user })
      for (const more of [{}, { friend_id: admin }, { keeper_id: user }]) {
        expect(await isForbidden(save(user, 'genre', null, { name: 'Ska', ...more })), JSON.stringify(more)).to.equal(true)
      }
    })

    it('holds for links, for single fields and for removing', async () => {
      const id = await house.add('act', { subject: 'Linked', stage_id: stage })
      const performer = await house.add('performer', { name: 'Ann' })
      const owner = { type: 'act', id }
      await house.operations.link(await house.by(lead), owner, 'performers', performer)
      expect(await isForbidden(house.operations.link(await house.by(user), owner, 'performers', performer))).to.equal(true)
      await save(lead, 'act', id, { fee: '12.5' })
      await save(admin, 'act', id, { fee: '99' })
      expect(await house.row('act', id)).to.include({ fee: '12.5' })
      expect(await isForbidden(house.operations.remove(await house.by(user), 'act', id))).to.equal(true)
      await house.operations.remove(await house.by(lead), 'act', id)
    })

    it('is found with the same number of queries for any number of records', async () => {
      const stages = await Promise.all([1, 2, 3, 4].map((n) => house.add('stage', { name: `Stage ${n}`, manager_id: lead })))
      const call = await house.by(lead)
      const counter = countStatements(house.storage.knex)
      const creating = (count: number) => () =>
        house.operations.saveAll(
          call,
          'act',
          Array.from({ length: count }, (_, n) => ({ id: null, body: { subject: ' ', stage_id: stages[n % 4] } })),
        )
      expect(await counter.during(creating(12))).to.equal(await counter.during(creating(2)))
    })
  })

  describe('as members of a team', () => {
    it('lets them change the record, and set what is theirs', async () => {
      await save(hand, 'stage', stage, { name: 'Main stage', remarks: 'Wet floor' })
      expect(await house.row('stage', stage)).to.include({ name: 'Main stage', remarks: 'Wet floor' })
      await save(lead, 'stage', stage, { name: 'Main', remarks: 'Dry floor' })
      expect(await house.row('stage', stage)).to.include({ name: 'Main', remarks: 'Wet floor' })
      expect(await isForbidden(save(user, 'stage', stage, { name: 'Mine' }))).to.equal(true)
    })

    it('lets them read what is theirs, in single records and in lists', async () => {
      await house.operations.save(await house.system(), 'stage', stage, { remarks: 'Loose cables' })
      const bare = await house.add('stage', { name: 'Crewless', remarks: 'Nobody reads this' })
      const remarks = async (by: number) => {
        const call = await house.by(by)
        const parameters = [['fields', 'remarks']] as const
        const { items } = await house.operations.list(call, 'stage', { parameters })
        const listed = new Map(items.map((item) => [item['id'], item['remarks']]))
        return [(await house.operations.read(call, 'stage', stage))['remarks'], listed.get(stage), listed.get(bare)]
      }
      expect(await remarks(hand)).to.deep.equal(['Loose cables', 'Loose cables', null])
      expect(await remarks(lead)).to.deep.equal([null, null, null])
    })

    it('ends with their membership, and needs a team', async () => {
      const bare = await house.add('stage', { name: 'Bare' })
      expect(await isForbidden(save(hand, 'stage', bare, { name: 'Mine' }))).to.equal(true)
      const other = await house.add('team', { name: 'Others', member_ids: [user] })
      await house.operations.save(await house.system(), 'stage', bare, { crew_id: other })
      await save(user, 'stage', bare, { name: 'Ours' })
      await house.operations.unlinkAll(await house.system(), { type: 'team', id: other }, 'members')
      expect(await isForbidden(save(user, 'stage', bare, { name: 'Ours again' }))).to.equal(true)
    })

    it('is asked for once a call, and not at all where no team is meant', async () => {
      const more = await house.add('stage', { name: 'More', crew_id: crew })
      const call = await house.by(hand)
      const counter = countStatements(house.storage.knex)
      const saving = (ids: readonly number[]) => () =>
        house.operations.saveAll(
          call,
          'stage',
          ids.map((id) => ({ id, body: { name: ' ' } })),
        )
      expect(await counter.during(saving([stage, more]))).to.equal(await counter.during(saving([stage])))
    })
  })
})
