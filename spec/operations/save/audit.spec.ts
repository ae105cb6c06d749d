/** The audit trail says everything that happens to a record, in the order in which it happens. ADR 0037. */
import { expect } from 'chai'
import { integer, type Json } from '../../../plugin/schema/kinds/fields.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { createFestival, festival } from '../../support/festival.js'
import { withHouse } from '../../support/house.js'
import { createReplay } from '../../support/replay-audit.js'

describe('the audit trail', () => {
  /** A sub-record that saves its owner, whose own save is still under way. */
  const talkative = rule('talkative', () => ({
    async written({ next, save }) {
      await save('act', Number(next['owner_id']), { subject: `with ${next['drinks']}` })
    },
  }))
  /** A sub-record with a field that few may read. */
  const secretive = festival.map((one) =>
    one.name === 'slot' ? { ...one, fields: { ...one.fields, minutes: integer({ read: ['account_administrator'] }) } } : one,
  )
  const house = withHouse({
    records: secretive,
    migrations: [createFestival],
    extend: [{ extends: 'rider', rules: [talkative()] }],
  })
  let stage: number
  let ada: number
  before(async () => {
    stage = await house.add('stage', { name: 'Main' })
    ada = await house.addPerson('Ada Admin', ['account_administrator'])
  })
  afterEach('replays it', async () => {
    expect(await createReplay(house.storage, house.catalog)()).to.deep.equal([])
  })

  const linesOf = async (type: string, id: number) => {
    const rows = (await house.table('audit_lines')).filter(
      (row) => row['owner_type'] === type && Number(row['owner_id']) === id,
    )
    return rows.map((row) => ({
      ...{ action: row['action'], cause: row['cause'], caused_by: row['caused_by'] },
      changes: JSON.parse(String(row['changes'])) as { readonly [name: string]: readonly [Json, Json] },
    }))
  }

  it('begins with the creation, also when sub-records save the record meanwhile', async () => {
    const id = await house.add('act', { subject: 'Duo', stage_id: stage, rider: { drinks: 'tea' } })
    const [made, changed, ...others] = await linesOf('act', id)
    expect(others).to.deep.equal([])
    expect(made).to.have.property('action', 'create')
    expect(made?.changes).to.deep.include({ subject: [null, 'Duo'] })
    expect(made?.changes).to.have.property('rider')
    expect(changed).to.deep.include({ action: 'update', cause: 'rule talkative of rider', caused_by: null })
    expect(changed?.changes).to.deep.equal({ subject: ['Duo', 'with tea'] })
    await house.operations.save(await house.system(), 'act', id, { source: 'mail', rider: { drinks: 'milk' } })
    const [own, follows] = (await linesOf('act', id)).slice(2)
    expect(own?.changes).to.have.keys(['source', 'rider'])
    expect(follows?.changes).to.deep.equal({ subject: ['with tea', 'with milk'] })
  })

  it('has the sub-records that are saved and removed at their own URL', async () => {
    const owner = { type: 'person', id: await house.addPerson('Paul Person') }
    const by = await house.by(ada)
    const at = { label: 'home', address: 'Main street 1' }
    const home = Number((await house.operations.save(by, 'address', null, at, owner))['id'])
    await house.operations.save(by, 'address', home, { address: 'Main street 2' }, owner)
    await house.operations.save(by, 'address', home, { address: 'Main street 2' }, owner)
    await house.operations.remove(by, 'address', home, owner)
    const lines = (await linesOf('person', owner.id)).slice(1)
    expect(lines.map(({ action, cause }) => [action, cause])).to.deep.equal(Array(3).fill(['update', null]))
    const streets = lines.map(({ changes }) =>
      changes['addresses']?.map((list) => (list as readonly { address: string }[]).map(({ address }) => address)),
    )
    expect(streets).to.deep.equal([
      [[], ['Main street 1']],
      [['Main street 1'], ['Main street 2']],
      [['Main street 2'], []],
    ])
  })

  it('has all sub-records of a record in one line, and with their record in its own', async () => {
    const owner = { type: 'organization', id: await house.add('organization', { name: 'Halls' }) }
    const items = ['billing', 'street'].map((label) => ({ id: null, body: { label, address: `${label} 1` }, owner }))
    await house.operations.saveAll(await house.by(ada), 'address', items)
    await house.operations.save(await house.by(ada), 'organization', owner.id, {
      name: 'Big halls',
      addresses_attributes: [{ label: 'mailing', address: 'Box 1' }],
    })
    await house.operations.removeAll(await house.by(ada), 'address', owner)
    const lines = (await linesOf('organization', owner.id)).slice(1)
    expect(lines.map(({ changes }) => Object.keys(changes))).to.deep.equal([
      ['addresses'],
      ['name', 'addresses'],
      ['addresses'],
    ])
    expect(lines.map(({ changes }) => changes['addresses']?.map((list) => (list as readonly Json[]).length))).to.deep.equal([
      [0, 2],
      [2, 3],
      [3, 0],
    ])
  })

  it('shows fields of sub-records to those who may read them', async () => {
    const id = await house.add('stage', { name: 'Hall' })
    await house.add('slot', { label: 'late', minutes: 90 }, { owner: { type: 'stage', id } })
    const slotsFor = async (person: number) => {
      const within = { type: 'stage', id, path: 'audit' }
      const { items } = await house.operations.list(await house.by(person), 'audit_line', { parameters: [], within })
      return (items[0]?.['changes'] as { readonly slots: Json } | undefined)?.slots
    }
    expect(await slotsFor(ada)).to.deep.equal([[], [{ label: 'late', minutes: 90 }]])
    const sam = await house.addPerson('Sam Solver', ['specialist'])
    expect(await slotsFor(sam)).to.deep.equal([[], [{ label: 'late' }]])
  })

  it('does not repeat the sub-records of a record that is removed', async () => {
    const id = await house.add('stage', { name: 'Tent' })
    await house.add('slot', { label: 'late' }, { owner: { type: 'stage', id } })
    await house.operations.remove(await house.system(), 'stage', id)
    expect((await linesOf('stage', id)).map(({ action }) => action)).to.deep.equal(['create', 'update', 'destroy'])
  })
})
