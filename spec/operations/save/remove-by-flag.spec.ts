import { expect } from 'chai'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('removing that sets a field', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })
  let worker = 0
  let admin = 0
  let stage = 0
  before(async () => {
    worker = await house.addPerson('Wim Worker', ['specialist'])
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    stage = await house.add('stage', { name: 'Main' })
  })
  const remove = async (by: number, id: number) => house.operations.remove(await house.by(by), 'act', id)

  it('keeps the record, as a change of whoever removes it', async () => {
    const id = await house.add('act', { subject: 'Over', stage_id: stage, rider: { drinks: 'tea' } })
    house.clock.pass(60_000)
    await remove(worker, id)
    expect(await house.row('act', id)).to.include({ deleted: true, subject: 'Over', updated_at: '2026-11-21T09:31:00Z' })
    expect((await house.table('riders')).map((row) => Number(row['owner_id']))).to.include(id)
    const line = (await house.table('audit_lines')).at(-1)
    expect(line).to.include({ owner_type: 'act', action: 'update' })
    expect([Number(line?.['owner_id']), Number(line?.['created_by_id'])]).to.deep.equal([id, worker])
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ deleted: [false, true] })
    expect((await house.table('outbox')).at(-1)).to.include({ event: 'act.update' })
  })

  it('does nothing the second time', async () => {
    const id = await house.add('act', { subject: 'Over', stage_id: stage })
    await remove(worker, id)
    const lines = (await house.table('audit_lines')).length
    await remove(worker, id)
    expect(await house.table('audit_lines')).to.have.length(lines)
  })

  it('needs the permission to remove, and is no field that callers set', async () => {
    const id = await house.add('act', { subject: 'Kept', stage_id: stage })
    expect((await errorOf(remove(admin, id))).name).to.equal('Forbidden')
    await house.operations.save(await house.by(admin), 'act', id, { deleted: true })
    expect(await house.row('act', id)).to.include({ deleted: false })
    expect((await errorOf(remove(worker, 99_999))).name).to.equal('NotFound')
  })
})
