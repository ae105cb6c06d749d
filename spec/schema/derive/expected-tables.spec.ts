import { expect } from 'chai'
import { records } from '../../../plugin/records/records.js'
import { SYSTEM_TABLES } from '../../../plugin/schema/check/system-tables.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { indexName, tablesOf, uniqueKeyName } from '../../../plugin/schema/derive/expected-tables.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import {
  datetime,
  integer,
  json,
  oneOf,
  part,
  parts,
  ref,
  refs,
  string,
  strings,
  text,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { type TestDatabase, withDatabase } from '../../support/database.js'

const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
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
    data: json(),
    words: strings(20),
    others: refs('crate'),
    seals: parts('seal'),
    seal: part('seal'),
    outer_name: string(40, { derived: { from: 'inside.name', as: 'value' } }),
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
  const tables = tablesOf(compile([crate, seal], []))

  it('have a column for every stored field, with the length it must hold', () => {
    const [table] = tables
    expect(table).to.include({ name: 'crates', purpose: 'record' })
    expect(table?.columns.map(({ name, method, length }) => ({ name, method, length }))).to.deep.equal([
      { name: 'id', method: 'id', length: 0 },
      { name: 'account_id', method: 'exact', length: 64 },
      { name: 'source', method: 'string', length: 30 },
      { name: 'sourceID', method: 'string', length: 128 },
      { name: 'created_at', method: 'datetime', length: 0 },
      { name: 'updated_at', method: 'datetime', length: 0 },
      { name: 'name', method: 'string', length: 40 },
      { name: 'size', method: 'enum', length: 64 },
      { name: 'due_at', method: 'datetimeOrWord', length: 20 },
      { name: 'inside_id', method: 'ref', length: 0 },
      { name: 'remarks', method: 'text', length: 100 },
      { name: 'story', method: 'text', length: 65_536 },
      { name: 'data', method: 'json', length: 65_536 },
      { name: 'words', method: 'strings', length: 65_536 },
      { name: 'key_of_name', method: 'exact', length: 32 },
      { name: 'key_of_source_pair', method: 'exact', length: 32 },
    ])
  })

  it('keep what is unique within the account, or within the owner', () => {
    expect(tables.map(({ name, unique }) => [name, unique])).to.deep.equal([
      [
        'crates',
        [
          ['account_id', 'key_of_name', 'inside_id'],
          ['account_id', 'key_of_source_pair'],
        ],
      ],
      ['crate_pairs', [['a_id', 'b_id']]],
      ['seals', [['owner_type', 'owner_id', 'key_of_code']]],
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
    const catalog = compile(records, [])
    const expected = [...SYSTEM_TABLES, ...tablesOf(catalog).map(({ name }) => name)].map((name) => `itsm_${name}`)
    expect(await tablesIn(database)).to.have.members([...expected, 'itsm_migrations', 'itsm_migrations_lock'])
  })
})

async function tablesIn({ knex, storage }: TestDatabase): Promise<readonly string[]> {
  const sql =
    storage.dialect === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
      : 'select table_name as name from information_schema.tables where table_schema = database()'
  const found = await knex.raw(sql)
  const rows: readonly { readonly name: string }[] = storage.dialect === 'sqlite' ? found : found[0]
  return rows.map(({ name }) => name)
}
