import { expect } from 'chai'
import type { SaveItem } from '../../../plugin/operations/contract.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { withHouse } from '../../support/house.js'

describe('saving many records at once', () => {
  /** Stands for anything that goes wrong late: after the rows have been written. */
  const late = rule('late', () => ({
    written({ fail, next }) {
      if (next['remarks'] === 'late') fail('remarks', 'Too late')
    },
  }))
  const house = withHouse({ extend: [extendRecord('site', { rules: [late()] })] })
  const saveAll = async (type: string, items: readonly SaveItem[]) =>
    house.operations.saveAll(await house.system(), type, items)
  const sites = (...bodies: readonly object[]) =>
    saveAll(
      'site',
      bodies.map((body) => ({ id: null, body })),
    )
  const named = async (prefix: string) =>
    (await house.table('sites')).map((row) => String(row['name'])).filter((name) => name.startsWith(prefix))

  it('answers for each what happened to it, in order', async () => {
    const [made] = await sites({ name: 'O same', city: 'Oslo' })
    const id = made?.outcome === 'created' ? Number(made.row['id']) : 0
    const outcomes = await saveAll('site', [
      { id: null, body: { name: 'O new' } },
      { id, body: { city: 'Oslo' } },
      { id: 99_999, body: { city: 'Nowhere' } },
      { id: null, body: { name: '' } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'unchanged', 'denied', 'refused'])
    const again = await saveAll('site', [{ id, body: { city: 'Bergen' } }])
    expect(again.map(({ outcome }) => outcome)).to.deep.equal(['updated'])
  })

  it('answers nothing for nothing', async () => {
    expect(await saveAll('site', [])).to.deep.equal([])
  })

  it('gives every new record its own id, beyond one statement too', async () => {
    const outcomes = await sites(...Array.from({ length: 230 }, (_, index) => ({ name: `Many ${index}`, zip: String(index) })))
    for (const saved of outcomes) {
      if (saved.outcome !== 'created') throw new Error(saved.outcome)
      const row = await house.row('site', Number(saved.row['id']))
      expect(row?.['name']).to.equal(`Many ${row?.['zip']}`)
      expect(row).to.deep.equal(saved.row)
    }
    expect(outcomes).to.have.length(230)
  })

  it('changes each record by its own columns only', async () => {
    const made = await sites({ name: 'C one', city: 'A', zip: '1' }, { name: 'C two', city: 'B', zip: '2' })
    const [one = 0, two = 0] = made.map((saved) => (saved.outcome === 'created' ? Number(saved.row['id']) : 0))
    await saveAll('site', [
      { id: one, body: { city: 'A2' } },
      { id: two, body: { zip: '22', remarks: 'new' } },
    ])
    expect(await house.row('site', one)).to.include({ city: 'A2', zip: '1', remarks: null })
    expect(await house.row('site', two)).to.include({ city: 'B', zip: '22', remarks: 'new' })
  })

  it('refuses the second of two that want the same name', async () => {
    const outcomes = await sites({ name: 'Twin' }, { name: 'TWIN' }, { name: 'Twin 2' })
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created'])
  })

  it('leaves the name of a refused one to the next', async () => {
    const outcomes = await sites({ name: 'Heir', zip: '9'.repeat(21) }, { name: 'Heir' }, { name: 'Heir' })
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'created', 'refused'])
  })

  it('changes a record twice when it is there twice', async () => {
    const [made] = await sites({ name: 'Double', city: 'A' })
    const id = made?.outcome === 'created' ? Number(made.row['id']) : 0
    const outcomes = await saveAll('site', [
      { id, body: { city: 'B' } },
      { id: null, body: { name: 'Double, other' } },
      { id, body: { zip: '9' } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['updated', 'created', 'updated'])
    expect(await house.row('site', id)).to.include({ city: 'B', zip: '9' })
  })

  it('stores the others when one is refused after it was written, and nothing of that one', async () => {
    const [lines, events] = [(await house.table('audit_lines')).length, (await house.table('outbox')).length]
    const outcomes = await sites(
      { name: 'L one' },
      { name: 'L two', remarks: 'late' },
      { name: 'L three' },
      { name: 'L four', remarks: 'late' },
      { name: 'L five' },
    )
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created', 'refused', 'created'])
    expect(outcomes[1]).to.deep.equal({ outcome: 'refused', violations: [['remarks', 'Too late']] })
    expect(await named('L ')).to.have.members(['L one', 'L three', 'L five'])
    expect(await house.table('audit_lines')).to.have.length(lines + 3)
    expect(await house.table('outbox')).to.have.length(events)
  })

  it('leaves out a team whose members are not all there', async () => {
    const mona = await house.addPerson('Mona Member')
    const outcomes = await saveAll('team', [
      { id: null, body: { name: 'T one', member_ids: [mona] } },
      { id: null, body: { name: 'T two', member_ids: [mona, 99_999] } },
      { id: null, body: { name: 'T three', member_ids: [{ id: mona }, String(mona)] } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created'])
    expect(outcomes[1]).to.deep.equal({ outcome: 'refused', violations: [['members', 'cannot_be_found']] })
    const teams = (await house.table('teams')).map((row) => row['name'])
    expect(teams).to.include.members(['T one', 'T three']).and.not.include('T two')
    expect(await house.storage.knex(house.storage.table('team_members'))).to.have.length(2)
  })

  it('leaves out a calendar whose hours overlap, and keeps the hours that another had', async () => {
    const hours = [{ weekday: 'mon', time_from: '08:00', time_until: '12:00' }]
    const kept = await house.add('calendar', { name: 'H kept', calendar_hours: hours })
    const outcomes = await saveAll('calendar', [
      { id: null, body: { name: 'H new', calendar_hours: hours } },
      { id: kept, body: { calendar_hours: [...hours, { weekday: 'mon', time_from: '11:00', time_until: '13:00' }] } },
      { id: null, body: { name: 'H other' } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created'])
    expect(outcomes[1]).to.deep.include({ violations: [['time_from', 'overlaps', { place: 2 }]] })
    expect((await house.table('calendar_hours')).filter((row) => Number(row['owner_id']) === kept)).to.have.length(1)
  })

  it('joins the transaction of the call, and goes with it', async () => {
    const { inTransaction } = await import('../../../plugin/storage/database/transaction.js')
    const call = await house.system()
    const work = inTransaction(house.storage, call, async (inside) => {
      await house.operations.saveAll(inside, 'site', [
        { id: null, body: { name: 'J one' } },
        { id: null, body: { name: 'J two', remarks: 'late' } },
      ])
      throw new Error('undo')
    })
    await work.then(
      () => expect.fail('it was not undone'),
      (error: Error) => expect(error.message).to.equal('undo'),
    )
    expect(await named('J ')).to.deep.equal([])
  })
})
