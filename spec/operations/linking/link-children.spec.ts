import { expect } from 'chai'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('references that are set like links', () => {
  const house = withHouse({
    records: festival,
    migrations: [createFestival],
    before: {
      'act.save': [
        ({ fail, next }) => {
          if (next['subject'] === 'Stubborn') fail('guest_stage', 'locked')
        },
      ],
    },
  })
  let admin = 0
  let user = 0
  let stage = 0
  let guest = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Ulla User')
    stage = await house.add('stage', { name: 'Main' })
    guest = await house.add('stage', { name: 'Tent' })
  })

  const owner = () => ({ type: 'stage', id: guest })
  const act = (subject: string, more: object = {}) => house.add('act', { subject, stage_id: stage, ...more })
  const link = async (by: number, id: number) => house.operations.link(await house.by(by), owner(), 'guest_acts', id)
  const unlink = async (by: number, id: number) => house.operations.unlink(await house.by(by), owner(), 'guest_acts', id)
  const guestStageOf = async (id: number) => (await house.row('act', id))?.['guest_stage_id']

  it('are set through the pipeline, with its audit line and its event', async () => {
    const id = await act('Opening')
    house.clock.pass(60_000)
    await link(admin, id)
    expect(await house.row('act', id)).to.include({ guest_stage_id: guest, updated_at: '2026-11-21T09:31:00Z' })
    const line = (await house.table('audit_lines')).at(-1)
    expect([line?.['owner_type'], Number(line?.['owner_id']), Number(line?.['created_by_id'])]).to.deep.equal([
      'act',
      id,
      admin,
    ])
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ guest_stage_id: [null, guest] })
    expect((await house.table('outbox')).at(-1)).to.include({ event: 'act.update' })
  })

  it('are left alone when they are set already', async () => {
    const id = await act('Twice', { guest_stage_id: guest })
    const lines = (await house.table('audit_lines')).length
    await link(admin, id)
    expect(await house.table('audit_lines')).to.have.length(lines)
  })

  it('are cleared one by one, and are not found when they lead elsewhere', async () => {
    const [id, other] = [await act('Leaving', { guest_stage_id: guest }), await act('Elsewhere', { guest_stage_id: stage })]
    await unlink(admin, id)
    expect(await guestStageOf(id)).to.equal(null)
    expect((await errorOf(unlink(admin, id))).name).to.equal('NotFound')
    expect((await errorOf(unlink(admin, other))).name).to.equal('NotFound')
    expect(await guestStageOf(other)).to.equal(stage)
  })

  it('are cleared all together, or not at all when one of them cannot be', async () => {
    const ids = [await act('One', { guest_stage_id: guest }), await act('Two', { guest_stage_id: guest })]
    const stubborn = await act('Three', { guest_stage_id: guest })
    await house.storage.knex(house.storage.table('acts')).where({ id: stubborn }).update({ subject: 'Stubborn' })
    const all = async () => house.operations.unlinkAll(await house.by(admin), owner(), 'guest_acts')
    expect(await refusalOf(all())).to.deep.equal([['guest_stage', 'locked']])
    expect(await Promise.all([...ids, stubborn].map(guestStageOf))).to.deep.equal([guest, guest, guest])
    await house.storage.knex(house.storage.table('acts')).where({ id: stubborn }).update({ subject: 'Meek' })
    await all()
    expect(await Promise.all([...ids, stubborn].map(guestStageOf))).to.deep.equal([null, null, null])
  })

  it('are for whoever may change the record that they lead to, and for records that are seen', async () => {
    const id = await act('Hidden')
    expect((await errorOf(link(user, id))).name).to.equal('Forbidden')
    expect((await errorOf(link(admin, 99_999))).name).to.equal('NotFound')
    const there = await house.add('stage', { name: 'Abroad' }, { account: 'umbrella' })
    const foreign = await house.add('act', { subject: 'Abroad', stage_id: there }, { account: 'umbrella' })
    expect((await errorOf(link(admin, foreign))).name).to.equal('NotFound')
    const missing = house.operations.link(await house.by(admin), { type: 'stage', id: 99_999 }, 'guest_acts', id)
    expect((await errorOf(missing)).name).to.equal('NotFound')
  })

  it('tell what the pipeline refuses', async () => {
    const id = await act('Meek')
    await house.storage.knex(house.storage.table('acts')).where({ id }).update({ subject: 'Stubborn' })
    expect(await refusalOf(link(admin, id))).to.deep.equal([['guest_stage', 'locked']])
  })

  it('are set only where the definition says so', async () => {
    const id = await act('Fixed')
    const elsewhere = house.operations.link(await house.by(admin), owner(), 'acts', id)
    expect((await errorOf(elsewhere)).name).to.equal('NotFound')
    expect((await house.row('act', id))?.['stage_id']).to.equal(stage)
  })
})
