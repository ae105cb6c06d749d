import { expect } from 'chai'
import { addColumns, linkTable, recordTable } from '../../../migrations/tools.js'
import { ADMINISTRATORS, common } from '../../../plugin/schema/kinds/common-fields.js'
import { refs, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { withHouse } from '../../support/house.js'

const vault = defineRecord('vault', {
  path: 'vaults',
  fields: {
    ...common,
    name: string(40),
    code: string(40, { read: ['auditor'] }),
    keepers: refs('person', { read: ['auditor'] }),
  },
  collection: { fields: 'id name', sort: 'name', filterable: 'id' },
  links: { keepers: { record: 'person', table: 'vault_keepers', from: 'vault_id', to: 'person_id' } },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
})

describe('fields that not everybody may read', () => {
  const house = withHouse({
    records: [vault],
    extend: [extendRecord('contact', { fields: { pin: string(10, { read: ['self'] }) } })],
    migrations: [
      {
        name: 'host_0001_vaults',
        async up(schema) {
          await addColumns(schema, 'contacts', (table) => void table.string('pin', 10))
          await linkTable(schema, 'vault_keepers', 'vault_id', 'person_id')
          await recordTable(schema, 'vaults', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.string('name', 40)
            table.string('code', 40)
            table.datetime('created_at')
            table.datetime('updated_at')
            table.unique('account_id', 'source', 'sourceID')
          })
        },
        down: async () => {},
      },
    ],
  })
  let admin = 0
  let auditor = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    auditor = await house.addPerson('Aud Itor', ['auditor'])
  })

  it('show in parts of people to those whose parts they are, whatever the ids of the parts', async () => {
    const contacts = new Map<number, number>()
    for (const person of [auditor, admin]) {
      const body = { protocol: 'telephone', label: 'work', uri: '12345', pin: `of ${person}` }
      contacts.set(person, await house.add('contact', body, { owner: { type: 'person', id: person } }))
    }
    // The id of the one part is that of the other person. Work that was repeated after a deadlock may have used up ids.
    const renumber = async (from: number, to: number) =>
      house.storage.knex(house.storage.table('contacts')).where({ id: from }).update({ id: to })
    for (const [person, id] of contacts) await renumber(id, 1_000 + person)
    await renumber(1_000 + auditor, admin)
    await renumber(1_000 + admin, auditor)
    contacts.set(auditor, admin).set(admin, auditor)
    const pinOf = async (by: number, owner: number) => {
      const id = contacts.get(owner) ?? 0
      return (await house.operations.read(await house.by(by), 'contact', id, { type: 'person', id: owner }))['pin']
    }
    expect([await pinOf(admin, admin), await pinOf(auditor, auditor)]).to.deep.equal([`of ${admin}`, `of ${auditor}`])
    expect([await pinOf(admin, auditor), await pinOf(auditor, admin)]).to.deep.equal([null, null])
  })

  it('are not told by the history, linked records neither', async () => {
    const id = await house.add('vault', { name: 'Gold', code: '1234', keeper_ids: [admin] })
    const changes = async (by: number) => {
      const within = { type: 'vault', id, path: 'audit' }
      const { items } = await house.operations.list(await house.by(by), 'audit_line', { parameters: [], within })
      return Object.keys(Object(items[0]?.['changes']))
    }
    expect(await changes(auditor)).to.include.members(['name', 'code', 'keepers'])
    expect(await changes(admin))
      .to.include('name')
      .and.not.include('code')
      .and.not.include('keepers')
  })
})
