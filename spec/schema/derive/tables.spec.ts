import { expect } from 'chai'
import { migrations } from '../../../migrations/index.js'
import { records } from '../../../plugin/records/index.js'
import { createRules } from '../../../plugin/rules/index.js'
import { common } from '../../../plugin/schema/common-fields.js'
import { compile } from '../../../plugin/schema/compile.js'
import { defineRecord } from '../../../plugin/schema/define-record.js'
import { indexName, SYSTEM_TABLES, tablesOf, uniqueKeyName } from '../../../plugin/schema/derive/tables.js'
import { datetime, hash, integer, oneOf, ref, string, text } from '../../../plugin/schema/fields.js'
import { withDatabase } from '../../support/database.js'

const NONE = { fields: ['id'], sort: 'id', sortable: 'same', filterable: ['id'] } as const
const CLOSED = { create: [], update: [] }
const crate = defineRecord('crate', {
  path: 'crates',
  fields: {
    ...common,
    name: string(40),
    size: oneOf(['small']),
    due_at: datetime({ keywords: ['never'] }),
    inside: ref('crate'),
    absent: ref('ship', { whenPresent: true }),
    remarks: text({ max: 100 }),
    story: text(),
    data: hash(),
    note: text({ writeOnly: true }),
  },
  collection: NONE,
  links: {
    others: { record: 'crate', table: 'crate_pairs', from: 'a_id', to: 'b_id' },
    back: { record: 'crate', table: 'crate_pairs', from: 'b_id', to: 'a_id' },
  },
  unique: [['name', 'inside']],
  access: CLOSED,
})
const seal = defineRecord('seal', {
  path: 'seals',
  partOf: ['crate'],
  fields: { id: integer({ readOnly: true }), code: string(9) },
  collection: NONE,
  unique: [['code']],
  access: CLOSED,
})

describe('the tables that a catalog needs', () => {
  const tables = tablesOf(compile([crate, seal], [], {}))

  it('have a column for every stored field, with the length it must hold', () => {
    const [table] = tables
    expect(table).to.include({ name: 'crates', purpose: 'record' })
    expect(table?.columns).to.deep.equal([
      { name: 'id', kind: 'id', length: 0 },
      { name: 'account_id', kind: 'account', length: 64 },
      { name: 'source', kind: 'string', length: 30 },
      { name: 'sourceID', kind: 'string', length: 128 },
      { name: 'created_at', kind: 'datetime', length: 0 },
      { name: 'updated_at', kind: 'datetime', length: 0 },
      { name: 'name', kind: 'string', length: 40 },
      { name: 'size', kind: 'enum', length: 64 },
      { name: 'due_at', kind: 'datetimeOrWord', length: 20 },
      { name: 'inside_id', kind: 'ref', length: 0 },
      { name: 'remarks', kind: 'text', length: 100 },
      { name: 'story', kind: 'text', length: 65_536 },
      { name: 'data', kind: 'hash', length: 65_536 },
    ])
  })

  it('keep what is unique within the account, or within the owner', () => {
    expect(tables.map(({ name, unique }) => [name, unique])).to.deep.equal([
      [
        'crates',
        [
          ['account_id', 'name', 'inside_id'],
          ['account_id', 'source', 'sourceID'],
        ],
      ],
      ['crate_pairs', [['a_id', 'b_id']]],
      ['seals', [['owner_type', 'owner_id', 'code']]],
    ])
  })

  it('are shared by two links that are the two sides of one', () => {
    expect(tables.filter(({ purpose }) => purpose === 'link')).to.have.length(1)
  })

  it('have keys with names that MySQL takes, each its own', () => {
    expect(uniqueKeyName('itsm_crates', ['account_id', 'name'])).to.equal('itsm_crates_account_id_name_unique')
    expect(indexName('itsm_crates', ['name'])).to.equal('itsm_crates_name_index')
    const long = (column: string) =>
      uniqueKeyName('itsm_a_long_name_of_a_table', ['account_id', 'a_rather_long_column', column])
    expect(long('first')).to.have.length(64)
    expect(long('first')).to.not.equal(long('second'))
  })
})

describe('our own tables', () => {
  const database = withDatabase()

  it('are all there after the migrations, and no others', async () => {
    const catalog = compile(records, [], createRules({ allowPrivateAddresses: false }))
    const expected = [...SYSTEM_TABLES, ...tablesOf(catalog).map(({ name }) => name)].map((name) => `itsm_${name}`)
    for (const name of expected) expect(await database.knex.schema.hasTable(name), name).to.equal(true)
    const made = new Set<string>()
    const tools = { knex: null as never, dialect: 'sqlite' as const, table: (name: string) => name }
    for (const migration of migrations) {
      const schema = { hasTable: async () => false, createTable: async (name: string) => void made.add(name) }
      await migration.up({ ...tools, knex: { schema } as never })
    }
    expect([...made].map((name) => `itsm_${name}`)).to.have.members(expected)
  })
})
