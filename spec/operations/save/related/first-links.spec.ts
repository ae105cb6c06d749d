import { expect } from 'chai'
import { createFestival, festival } from '../../../support/festival.js'
import { refusalOf, withHouse } from '../../../support/house.js'

describe('a reference that is the first of a link', () => {
  const house = withHouse({
    records: festival,
    migrations: [createFestival],
    before: {
      'act.save': [
        ({ next }) => {
          // A rule of the host that knows who always plays, and who never does.
          if (next['subject'] === 'Resident') next['headliner_id'] = resident
          if (next['subject'] === 'Nobody') next['headliner_id'] = null
        },
      ],
    },
  })
  let admin = 0
  let stage = 0
  let resident = 0
  let [ann, ben, cas] = [0, 0, 0]
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    stage = await house.add('stage', { name: 'Main' })
    resident = await house.add('performer', { name: 'Residents' })
    ann = await house.add('performer', { name: 'Ann' })
    ben = await house.add('performer', { name: 'Ben' })
    cas = await house.add('performer', { name: 'Cas' })
  })
  beforeEach(() => house.clock.set('2026-11-21T09:30:00Z'))

  const add = (body: object) => house.add('act', { subject: 'Act', stage_id: stage, ...body })
  const save = async (id: number, body: object) => house.operations.save(await house.by(admin), 'act', id, body)
  const owner = (id: number) => ({ type: 'act', id })
  const link = async (id: number, performer: number) =>
    house.operations.link(await house.by(admin), owner(id), 'performers', performer)
  const unlink = async (id: number, performer: number) =>
    house.operations.unlink(await house.by(admin), owner(id), 'performers', performer)
  /** The first one, and all of them by id. */
  const stateOf = async (id: number) => {
    const rows = await house.storage.knex(house.storage.table('act_performers')).where({ act_id: id }).orderBy('performer_id')
    return [(await house.row('act', id))?.['headliner_id'], rows.map((row) => Number(row.performer_id))]
  }

  it('becomes the only one when it is set, and takes all away when it is cleared', async () => {
    const id = await add({ headliner_id: ben })
    expect(await stateOf(id)).to.deep.equal([ben, [ben]])
    await link(id, ann)
    await save(id, { headliner_id: ben })
    expect(await stateOf(id)).to.deep.equal([ben, [ben]])
    await save(id, { headliner: { id: ann } })
    expect(await stateOf(id)).to.deep.equal([ann, [ann]])
    await save(id, { headliner_id: null })
    expect(await stateOf(id)).to.deep.equal([null, []])
  })

  it('is the first of the links that are given, in their order', async () => {
    const id = await add({ performer_ids: [cas, ann] })
    expect(await stateOf(id)).to.deep.equal([cas, [ann, cas]])
    await save(id, { performer_ids: [ann, cas] })
    expect(await stateOf(id)).to.deep.equal([ann, [ann, cas]])
    await save(id, { performer_ids: [ben], headliner_id: cas })
    expect(await stateOf(id)).to.deep.equal([ben, [ben]])
    await save(id, { performer_ids: [] })
    expect(await stateOf(id)).to.deep.equal([null, []])
  })

  it('stays when nothing is said of it', async () => {
    const id = await add({ performer_ids: [cas, ann] })
    await save(id, { subject: 'Other act' })
    expect(await stateOf(id)).to.deep.equal([cas, [ann, cas]])
  })

  it('is followed when a rule sets or clears it', async () => {
    const id = await add({ subject: 'Resident', performer_ids: [ann] })
    expect(await stateOf(id)).to.deep.equal([resident, [resident]])
    await save(id, { subject: 'Nobody' })
    expect(await stateOf(id)).to.deep.equal([null, []])
  })

  it('is set by the first link and kept by the others', async () => {
    const id = await add({})
    await link(id, cas)
    expect(await stateOf(id)).to.deep.equal([cas, [cas]])
    await link(id, ann)
    await link(id, ann)
    expect(await stateOf(id)).to.deep.equal([cas, [ann, cas]])
  })

  it('is the one with the lowest id when the first is taken away', async () => {
    const id = await add({ performer_ids: [cas, ben, ann] })
    await unlink(id, ben)
    expect(await stateOf(id)).to.deep.equal([cas, [ann, cas]])
    await unlink(id, cas)
    expect(await stateOf(id)).to.deep.equal([ann, [ann]])
    await unlink(id, ann)
    expect(await stateOf(id)).to.deep.equal([null, []])
    await save(id, { performer_ids: [ann, ben] })
    await house.operations.unlinkAll(await house.by(admin), owner(id), 'performers')
    expect(await stateOf(id)).to.deep.equal([null, []])
  })

  it('is a changed field with an audit line and an event, however it was set', async () => {
    const id = await add({})
    house.clock.pass(60_000)
    await link(id, ben)
    expect(await house.row('act', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
    const line = (await house.table('audit_lines')).at(-1)
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ headliner_id: [null, ben], performers: [[], [ben]] })
    expect((await house.table('outbox')).at(-1)).to.include({ event: 'act.update' })
    const lines = (await house.table('audit_lines')).length
    await link(id, ben)
    expect(await house.table('audit_lines')).to.have.length(lines)
  })

  it('must be there, and nothing is linked when it is not', async () => {
    expect(await refusalOf(add({ headliner_id: 99_999 }))).to.deep.equal([['headliner', 'cannot_be_found']])
    const id = await add({ performer_ids: [ann] })
    expect(await refusalOf(save(id, { performer_ids: [ann, 99_999] }))).to.deep.equal([['performers', 'cannot_be_found']])
    expect(await stateOf(id)).to.deep.equal([ann, [ann]])
  })
})
