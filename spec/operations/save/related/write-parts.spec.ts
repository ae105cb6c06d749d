import { expect } from 'chai'
import { createFestival, festival } from '../../../support/festival.js'
import { errorOf, refusalOf, withHouse } from '../../../support/house.js'

describe('parts that come with their owner', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })
  let admin = 0
  let user = 0
  let stage = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Ulla User')
    stage = await house.add('stage', { name: 'Main' })
  })
  beforeEach(() => house.clock.set('2026-11-21T09:30:00Z'))

  const save = async (by: number, type: string, id: number | null, body: object) =>
    Number((await house.operations.save(await house.by(by), type, id, body))['id'])
  const lastChanges = async () => {
    const line = (await house.table('audit_lines')).at(-1)
    return [line?.['owner_type'], JSON.parse(String(line?.['changes']))]
  }

  describe('the only one of their type', () => {
    const act = (more: object = {}) => save(admin, 'act', null, { subject: 'Act', stage_id: stage, ...more })
    const riderOf = async (id: number) => {
      const rows = (await house.table('riders')).filter((row) => Number(row['owner_id']) === id)
      return rows.map((row) => [row['drinks'], Number(row['towels']), Number(row['signed'])])
    }

    it('are made together with it, or later, with their defaults', async () => {
      expect(await riderOf(await act({ rider: { drinks: 'tea', signed: true } }))).to.deep.equal([['tea', 2, 0]])
      const id = await act()
      house.clock.pass(60_000)
      await save(admin, 'act', id, { rider: { drinks: 'milk', towels: 5 } })
      expect(await riderOf(id)).to.deep.equal([['milk', 5, 0]])
      expect(await house.row('act', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
      expect(await lastChanges()).to.deep.equal(['act', { rider: [null, { drinks: 'milk', towels: 5, signed: false }] }])
    })

    it('are merged field by field', async () => {
      const id = await act({ rider: { drinks: 'tea', towels: 9 } })
      await save(admin, 'act', id, { rider: { drinks: 'rum' } })
      expect(await riderOf(id)).to.deep.equal([['rum', 9, 0]])
      expect(await lastChanges()).to.deep.equal(['act', { rider: [{ drinks: 'tea' }, { drinks: 'rum' }] }])
    })

    it('stay as they are when nothing changes', async () => {
      const id = await act({ rider: { drinks: 'tea' } })
      const lines = (await house.table('audit_lines')).length
      await save(admin, 'act', id, { rider: { drinks: 'tea' } })
      await save(admin, 'act', id, { rider: {} })
      await save(admin, 'act', id, {})
      expect(await riderOf(id)).to.deep.equal([['tea', 2, 0]])
      expect(await house.table('audit_lines')).to.have.length(lines)
    })

    it('are taken away by null', async () => {
      const id = await act({ rider: { drinks: 'tea', towels: 1 } })
      await save(admin, 'act', id, { rider: null })
      expect(await riderOf(id)).to.deep.equal([])
      expect(await lastChanges()).to.deep.equal(['act', { rider: [{ drinks: 'tea', towels: 1, signed: false }, null] }])
      const lines = (await house.table('audit_lines')).length
      await save(admin, 'act', id, { rider: null })
      expect(await house.table('audit_lines')).to.have.length(lines)
    })

    it('are reported by their own fields, and nothing is stored then', async () => {
      expect(await refusalOf(act({ subject: 'Refused', rider: { towels: 'many' } }))).to.deep.equal([
        ['drinks', 'blank', {}],
        ['towels', 'not_a_number', {}],
      ])
      expect((await house.table('acts')).map((row) => row['subject'])).to.not.include('Refused')
      const id = await act({ rider: { drinks: 'tea' } })
      expect(await refusalOf(save(admin, 'act', id, { subject: 'Refused', rider: { drinks: '' } }))).to.deep.equal([
        ['drinks', 'blank', {}],
      ])
      expect(await house.row('act', id)).to.include({ subject: 'Act' })
    })

    it('are objects', async () => {
      for (const rider of ['tea', 1, true, [], [{ drinks: 'tea' }]]) {
        expect(await refusalOf(act({ rider })), JSON.stringify(rider)).to.deep.equal([['rider', 'invalid']])
      }
    })
  })

  describe('one by one', () => {
    const slotsOf = async (id: number) =>
      (await house.table('slots'))
        .filter((row) => Number(row['owner_id']) === id)
        .map((row) => [row['label'], row['minutes'] && Number(row['minutes'])])
    const idOf = async (label: string) => Number((await house.table('slots')).find((row) => row['label'] === label)?.['id'])
    const add = (slots_attributes: unknown) => save(admin, 'stage', null, { name: 'S', slots_attributes })

    it('are added, as a list or as an object with any keys', async () => {
      const id = await add([{ label: 'noon', minutes: 30 }, { label: 'night' }])
      expect(await slotsOf(id)).to.deep.equal([
        ['noon', 30],
        ['night', null],
      ])
      expect(await slotsOf(await add({ 0: { label: 'a' }, 17: { label: 'b', id: '' } }))).to.deep.equal([
        ['a', null],
        ['b', null],
      ])
    })

    it('are changed and removed by their ids, and the others stay', async () => {
      const id = await add([{ label: 'one' }, { label: 'two' }, { label: 'three' }])
      house.clock.pass(60_000)
      const slots_attributes = {
        0: { id: await idOf('one'), minutes: 5 },
        1: { id: String(await idOf('two')), _destroy: '1' },
        2: { label: 'four' },
        3: { label: 'never', _destroy: true },
      }
      await save(admin, 'stage', id, { slots_attributes })
      expect(await slotsOf(id)).to.deep.equal([
        ['one', 5],
        ['three', null],
        ['four', null],
      ])
      expect(await house.row('stage', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
      const slot = (label: string, minutes: number | null = null) => ({ label, minutes })
      expect(await lastChanges()).to.deep.equal([
        'stage',
        { slots: [['one', 'two', 'three'].map((label) => slot(label)), [slot('one', 5), slot('three'), slot('four')]] },
      ])
    })

    it('are those of the record and of no other', async () => {
      await add([{ label: 'foreign' }])
      const id = await add([{ label: 'own' }])
      for (const wrong of [await idOf('foreign'), 99_999, 'x', -1, {}]) {
        const work = save(admin, 'stage', id, { name: 'Changed', slots_attributes: [{ id: wrong, label: 'stolen' }] })
        expect(await refusalOf(work), String(wrong)).to.deep.equal([['slots', 'cannot_be_found']])
      }
      expect(await house.row('stage', id)).to.include({ name: 'S' })
      expect(await slotsOf(id)).to.deep.equal([['own', null]])
    })

    it('are refused by their own fields', async () => {
      expect(await refusalOf(add([{ label: 'good' }, { minutes: 0 }]))).to.deep.equal([
        ['label', 'blank', {}],
        ['minutes', 'less_than', { min: 1 }],
      ])
      expect((await house.table('slots')).map((row) => row['label'])).to.not.include('good')
    })

    it('are at most 100, and objects', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `${index}` }))
      expect(await slotsOf(await add(many(100)))).to.have.length(100)
      for (const wrong of [many(101), 'x', 1, true, [null], ['x'], [[]], { 0: 'x' }]) {
        expect(await refusalOf(add(wrong)), JSON.stringify(wrong).slice(0, 40)).to.deep.equal([['slots', 'invalid']])
      }
      expect(await slotsOf(await add(null))).to.deep.equal([])
    })

    it('need the permissions that they would need alone', async () => {
      const lead = await house.addPerson('Lea Lead', ['project_manager'])
      const id = await house.add('stage', { name: 'Led', manager_id: lead, slots_attributes: [{ label: 'kept' }] })
      const [only] = await slotsOf(id)
      for (const body of [
        { slots_attributes: [{ label: 'new' }] },
        { slots_attributes: [{ id: await idOf('kept'), _destroy: true }] },
      ]) {
        expect((await errorOf(save(lead, 'stage', id, body))).name).to.equal('Forbidden')
      }
      expect(await slotsOf(id)).to.deep.equal([only])
    })
  })

  describe('contacts and addresses of people (behaviour: Writing)', () => {
    const contactsOf = async (id: number) =>
      (await house.table('contacts'))
        .filter((row) => row['owner_type'] === 'person' && Number(row['owner_id']) === id)
        .map((row) => [row['protocol'], row['label'], row['uri']])
    const work = { protocol: 'telephone', label: 'work', uri: '+31 20 1234567' }

    it('are maintained by the people themselves, and by nobody else but administrators', async () => {
      await save(user, 'person', user, { name: 'Ignored', contacts_attributes: { 0: work }, addresses_attributes: [] })
      expect(await contactsOf(user)).to.deep.equal([['telephone', 'work', '+31 20 1234567']])
      expect(await house.row('person', user)).to.include({ name: 'Ulla User' })
      const stranger = await house.addPerson('Sven Stranger')
      expect((await errorOf(save(stranger, 'person', user, { contacts_attributes: [work] }))).name).to.equal('Forbidden')
      await save(admin, 'person', user, { contacts_attributes: [{ label: 'home', telephone: '1' }] })
      expect(await contactsOf(user)).to.have.length(2)
    })

    it('come with a new person', async () => {
      const id = await save(admin, 'person', null, {
        name: 'Nina New',
        primary_email: 'nina@acme.example',
        contacts_attributes: [work],
        addresses_attributes: { a: { label: 'home', city: 'Utrecht' } },
      })
      expect(await contactsOf(id)).to.have.length(1)
      expect((await house.table('addresses')).at(-1)).to.include({ owner_type: 'person', label: 'home', city: 'Utrecht' })
    })

    it('that come from an import are locked', async () => {
      const id = await save(admin, 'person', null, {
        name: 'Ilse Import',
        primary_email: 'ilse@acme.example',
        contacts_attributes: [work],
      })
      await house.storage.knex(house.storage.table('contacts')).where({ owner_id: id }).update({ integration: 1 })
      const contact = (await house.table('contacts')).at(-1)?.['id']
      for (const change of [
        { id: contact, label: 'mobile' },
        { id: contact, _destroy: true },
      ]) {
        expect(await refusalOf(save(admin, 'person', id, { contacts_attributes: [change] }))).to.deep.equal([
          ['contacts', 'integration_locked', {}],
        ])
      }
      expect(await contactsOf(id)).to.have.length(1)
    })
  })
})
