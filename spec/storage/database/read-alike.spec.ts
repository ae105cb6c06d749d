/** Every column of every table is read in one form, whatever pool the host lends. */
import { expect } from 'chai'
import { openStorage, type Storage } from '../../../plugin/storage/database/connections.js'
import { createArrayRunner } from '../../../plugin/storage/records/run-as-arrays.js'
import { testStore, withDatabase } from '../../support/database.js'
import { hostPool, POOLS_OF_HOSTS } from '../../support/host-pool.js'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly extra: string
}

/** A value of each type, with which the settings of a pool could matter. */
function valueFor({ name, type }: Column): unknown {
  if (/^datetime|^timestamp/.test(type)) return '2026-03-29 01:30:00.123'
  if (/^date/.test(type)) return '2026-03-29'
  if (/^time/.test(type)) return '01:30:00'
  if (/^decimal/.test(type)) return '12.50'
  // A JSON column of MariaDB is a long text with a check.
  if (/^json|^longtext/.test(type)) return '{"a":["é",1.5,null]}'
  if (/blob|binary/.test(type)) return Buffer.from([0, 200, 255])
  if (/^(double|float)/.test(type)) return 1.5
  if (/^tinyint/.test(type)) return 1
  // More digits than a number has.
  if (/^bigint/.test(type) && !/unsigned/.test(type) && name !== 'id') return '9007199254740993'
  return /int/.test(type) ? 7 : '7'
}

describe('what a pool returns', function () {
  this.timeout(120_000)
  const database = withDatabase()
  const tables = new Map<string, Column[]>()
  let own: Storage

  before(async function () {
    if (testStore() !== 'server') this.skip()
    own = openStorage({ url: database.url }, 'itsm_')
    const columns: readonly Column[] = await own
      .knex('information_schema.columns')
      .whereRaw("table_schema = database() and table_name not like '%migrations%'")
      .select({ table: 'table_name', name: 'column_name', type: 'column_type', extra: 'extra' })
    for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
    await own.knex.transaction(async (transaction) => {
      await transaction.raw('set foreign_key_checks = 0')
      for (const [table, all] of tables) {
        const made = all.filter(({ extra }) => !/generated|virtual|stored/i.test(extra))
        await transaction(table).insert(Object.fromEntries(made.map((column) => [column.name, valueFor(column)])))
      }
      await transaction.raw('set foreign_key_checks = 1')
    })
  })
  after(async () => {
    // The database is kept for other specs, which begin with empty tables.
    await own?.knex.transaction(async (transaction) => {
      await transaction.raw('set foreign_key_checks = 0')
      for (const table of tables.keys()) await transaction(table).delete()
      await transaction.raw('set foreign_key_checks = 1')
    })
    await own?.close()
  })

  /** All rows, read in each way in which the plugin reads. */
  async function readAll(storage: Storage): Promise<unknown> {
    const asArrays = createArrayRunner(storage)
    const ofEach = async (read: (table: string) => Promise<unknown>) => {
      const found: [table: string, rows: unknown][] = []
      for (const table of tables.keys()) found.push([table, await read(table)])
      return found
    }
    const sqlOf = (table: string) => `select ${tables.get(table)?.map(({ name }) => `\`${name}\``)} from \`${table}\``
    return [
      await ofEach((table) => storage.knex(table)),
      await ofEach((table) => storage.knex(table).count({ n: '*' })),
      await ofEach(async (table) => (await storage.knex.raw('select * from ??', [table]))[0]),
      await ofEach((table) => asArrays(storage.knex, { sql: sqlOf(table), bindings: [], isRepeated: true })),
      await ofEach((table) => asArrays(storage.knex, { sql: sqlOf(table), bindings: [], isRepeated: false })),
      await storage.knex.transaction((db) => ofEach((table) => db(table))),
      await storage.unhurried(({ knex }) => ofEach((table) => knex(table))),
    ]
  }

  it('is the text of a time, and not a Date, on a pool of the plugin', async () => {
    const [row] = await own.knex('itsm_sessions')
    expect(row).to.include({ created_at: '2026-03-29 01:30:00.123', person_id: 7 })
    expect(tables.size).to.be.greaterThan(90)
  })

  for (const [title, settings] of Object.entries(POOLS_OF_HOSTS)) {
    it(`is the same on a pool of the host, ${title}`, async () => {
      const pool = hostPool(database.url, settings(database.url))
      try {
        expect(await readAll(openStorage({ knex: pool }, 'itsm_'))).to.deep.equal(await readAll(own))
      } finally {
        await pool.destroy()
      }
    })
  }

  it('is the same if parameters of the URL say otherwise', async () => {
    const storage = openStorage(
      { url: `${database.url}?dateStrings=false&decimalNumbers=true&bigNumberStrings=true&rowsAsArray=true` },
      'itsm_',
    )
    try {
      expect(await readAll(storage)).to.deep.equal(await readAll(own))
    } finally {
      await storage.close()
    }
  })
})
