import { expect } from 'chai'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { testStore } from '../../support/database.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('saves and their transaction', () => {
  /** Saves a second site beside the first, and goes wrong when it is told to. */
  const companion = rule('companion', () => ({
    async written({ next, save, type, fail }) {
      const [kind, name] = String(next['remarks'] ?? '').split(':')
      if (kind === 'beside') await save(type, null, { name })
      if (kind === 'broken') {
        await save(type, null, { name })
        throw new Error('after the second')
      }
      if (kind !== 'early') return
      await save(type, null, { name: 'made early' })
      fail('remarks', 'invalid')
    },
  }))
  const house = withHouse({ extend: [extendRecord('site', { rules: [companion()] })], file: true })
  const names = async () => (await house.table('sites')).map((row) => row['name'])
  const counts = async () => [(await house.table('outbox')).length, (await house.table('audit_lines')).length]
  let admin = 0

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
  })

  it('take the saves of rules along, in the name of who caused them', async () => {
    await house.operations.save(await house.by(admin), 'site', null, { name: 'First', remarks: 'beside:Second' })
    expect(await names()).to.include.members(['First', 'Second'])
    const lines = (await house.table('audit_lines')).slice(-2)
    expect(lines.map((line) => Number(line['created_by_id']))).to.deep.equal([admin, admin])
  })

  it('roll back together with audit lines and events', async () => {
    const before = await counts()
    const error = await errorOf(house.add('site', { name: 'Third', remarks: 'broken:Fourth' }))
    expect(error.message).to.equal('The rule companion of site failed: after the second')
    expect(await names()).to.not.include.members(['Third', 'Fourth'])
    expect(await counts()).to.deep.equal(before)
  })

  it('report what is wrong with the record of a rule as a refusal of the whole', async () => {
    await house.add('site', { name: 'Fifth' })
    expect(await refusalOf(house.add('site', { name: 'Sixth', remarks: 'beside:Fifth' }))).to.deep.equal([
      ['base', 'other_not_saved', { record: 'A site', reasons: 'Name has already been taken' }],
    ])
    expect(await names()).to.not.include('Sixth')
  })

  it('undo what a rule saved for a record that is then refused, also among others', async () => {
    const outcomes = await house.operations.saveAll(await house.system(), 'site', [
      { id: null, body: { name: 'Seventh' } },
      { id: null, body: { name: 'Eighth', remarks: 'early' } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused'])
    expect(await names())
      .to.include('Seventh')
      .and.not.include('made early')
  })

  it('wake the relay once it is committed, never when it was rolled back', async () => {
    const before = house.dispatchWakes()
    const call = await house.system()
    await inTransaction(house.storage, call, async (inside) => {
      await house.operations.save(inside, 'organization', null, { name: 'Waker' })
      expect(house.dispatchWakes()).to.equal(before)
    })
    expect(house.dispatchWakes()).to.equal(before + 1)
    await errorOf(
      inTransaction(house.storage, call, async (inside) => {
        await house.operations.save(inside, 'organization', null, { name: 'Silent' })
        throw new Error('undo')
      }),
    )
    expect(house.dispatchWakes()).to.equal(before + 1)
  })

  it('lose nothing when one record is changed by many at once', async () => {
    const id = await house.add('organization', { name: 'Busy', business_unit: true })
    const changes = [{ region: 'North' }, { remarks: 'r' }, { manager_id: admin }, { substitute_id: admin }, { disabled: true }]
    const call = await house.system()
    await Promise.all(changes.map((change) => house.operations.save(call, 'organization', id, change)))
    expect(await house.row('organization', id)).to.include({
      region: 'North',
      remarks: 'r',
      manager_id: admin,
      substitute_id: admin,
      disabled: true,
    })
    const lines = (await house.table('audit_lines')).filter(
      (line) => Number(line['owner_id']) === id && line['action'] === 'update',
    )
    expect(lines.flatMap((line) => Object.keys(JSON.parse(String(line['changes']))))).to.include.members([
      'region',
      'remarks',
      'manager_id',
      'substitute_id',
      'disabled',
    ])
  })

  it('see the change of the one before them: from A to B once, then from B to C', async () => {
    const id = await house.add('site', { name: 'Chain', city: 'A' })
    const call = await house.system()
    await Promise.all(['B', 'C', 'D'].map((city) => house.operations.save(call, 'site', id, { city })))
    const steps = (await house.table('audit_lines'))
      .filter((line) => Number(line['owner_id']) === id && line['owner_type'] === 'site' && line['action'] === 'update')
      .map((line) => JSON.parse(String(line['changes'])).city as [string, string])
    expect(steps.map(([from]) => from)).to.deep.equal(['A', ...steps.slice(0, -1).map(([, to]) => to)])
  })

  it('lock their records and not what their permission follows from', async function () {
    if (testStore() !== 'server') this.skip()
    const manager = await house.addPerson('Mia Manager')
    const person_id = await house.addPerson('Ernst Entry', [], { manager_id: manager })
    const row = { account_id: 'acme', person_id, date: '2026-11-21', time_spent: 5, deleted: 0, correction: 0 }
    const [entry = 0] = await house.storage.knex(house.storage.table('time_entries')).insert(row)
    const lockOf = (type: string, id: number) =>
      house.storage.knex.raw('SELECT id FROM ?? WHERE id = ? FOR UPDATE NOWAIT', [house.storage.table(type), id])
    await inTransaction(house.storage, await house.by(manager), async (inside) => {
      await house.operations.save(inside, 'time_entry', entry, { time_spent: 6 })
      expect((await errorOf(lockOf('time_entries', entry))).message).to.match(/NOWAIT|lock/i)
      await lockOf('people', person_id)
    })
    expect(await house.row('time_entry', entry)).to.include({ time_spent: 6 })
  })

  it('are repeated when they lose against another transaction', async function () {
    if (testStore() !== 'server') this.skip()
    const [one, two] = [await house.add('site', { name: 'Lock one' }), await house.add('site', { name: 'Lock two' })]
    const call = await house.system()
    let tries = 0
    const crosswise = (first: number, second: number, city: string) =>
      inTransaction(house.storage, call, async (inside) => {
        tries += 1
        await house.operations.save(inside, 'site', first, { city })
        // Long enough for the other to hold its first one too.
        if (tries <= 2) await new Promise((resolve) => setTimeout(resolve, 150))
        await house.operations.saveAll(inside, 'site', [{ id: second, body: { zip: city } }])
      })
    await Promise.all([crosswise(one, two, 'A'), crosswise(two, one, 'B')])
    expect(tries).to.equal(3)
    expect(await house.row('site', one)).to.include({ city: 'A', zip: 'B' })
    expect(await house.row('site', two)).to.include({ city: 'B', zip: 'A' })
  })
})
