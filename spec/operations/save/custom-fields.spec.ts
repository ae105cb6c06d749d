import { expect } from 'chai'
import { type Migration, recordTable } from '../../../migrations/tools.js'
import { common, defineRecord, json, string } from '../../../plugin/index.js'
import { withHouse } from '../../support/house.js'

const fields = { ...common, name: string(60) }
const collection = { fields: 'id name', sort: 'id', sortable: 'id', filterable: 'id' } as const

/** Everybody sets the custom data of a locker, and nothing else of it. */
const locker = defineRecord('locker', {
  path: 'lockers',
  fields: { ...fields, custom_data: json({ read: ['auditor'] }) },
  collection,
  access: { create: ['account_administrator'], update: [{ who: 'anyone', fields: ['custom_data'] }] },
})

/** A host that has had a field of that name before. */
const shelf = defineRecord('shelf', {
  path: 'shelves',
  fields: { ...fields, custom_data: json(), custom_fields: string(20) },
  collection,
  access: { create: ['anyone'], update: ['anyone'] },
})

const addTables: Migration = {
  name: 'host_0001_add_lockers_and_shelves',
  async up(schema) {
    for (const name of ['lockers', 'shelves']) {
      await recordTable(schema, name, (table) => {
        table.string('source', 30)
        table.string('sourceID', 128)
        table.string('name', 60)
        table.json('custom_data')
        if (name === 'shelves') table.string('custom_fields', 20)
        table.datetime('created_at')
        table.datetime('updated_at')
        table.unique('account_id', 'source', 'sourceID')
      })
    }
  },
  down: async () => {},
}

describe('custom_fields', () => {
  const house = withHouse({ records: [locker, shelf], migrations: [addTables] })
  let [user, auditor] = [0, 0]
  before(async () => {
    user = await house.addPerson('Ulla User')
    auditor = await house.addPerson('Audrey Auditor', ['auditor'])
  })

  it('may be set and read by those who may set and read custom_data', async () => {
    const id = await house.add('locker', { name: 'L1', custom_data: { size: 2 } })
    await house.operations.save(await house.by(user), 'locker', id, { name: 'L2', custom_fields: [{ id: 'key', value: 'K' }] })
    expect(await house.row('locker', id)).to.deep.include({ name: 'L1', custom_data: { size: 2, key: 'K' } })
    const read = async (by: number) =>
      (await house.operations.read(await house.by(by), 'locker', id, undefined, ['custom_fields']))['custom_fields']
    expect(await read(user)).to.equal(null)
    expect(await read(auditor)).to.deep.equal([
      { id: 'size', value: 2 },
      { id: 'key', value: 'K' },
    ])
    const parameters = [['fields', 'custom_fields']] as const
    const page = await house.operations.list(await house.by(user), 'locker', { parameters })
    expect(page.items).to.deep.equal([{ id, custom_fields: null }])
  })

  it('are a change of custom_data in the history of the record, and none when nothing differs', async () => {
    const id = await house.add('site', { name: 'Depot', custom_data: { doors: 2 } })
    const admin = await house.addPerson('Ada Admin', ['account_administrator'])
    const save = async (value: number) =>
      house.operations.save(await house.by(admin), 'site', id, { custom_fields: [{ id: 'doors', value }] })
    await save(2)
    await save(3)
    const lines = (await house.table('audit_lines')).filter((row) => row['owner_type'] === 'site' && row['action'] === 'update')
    expect(lines.map((row) => JSON.parse(String(row['changes'])))).to.deep.equal([
      { custom_data: [{ doors: 2 }, { doors: 3 }] },
    ])
  })

  it('stay what they are where a host has such a field', async () => {
    const id = await house.add('shelf', { custom_fields: 'wide', custom_data: { a: 1 } })
    expect(await house.operations.read(await house.by(user), 'shelf', id)).to.deep.include({
      custom_fields: 'wide',
      custom_data: { a: 1 },
    })
  })
})
