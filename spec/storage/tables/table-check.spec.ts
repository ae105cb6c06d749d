import { expect } from 'chai'
import { addColumns, linkTable, type MigrationTools, partTable, recordTable } from '../../../migrations/tools.js'
import type { Catalog } from '../../../plugin/schema/catalog.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { tablesOf } from '../../../plugin/schema/derive/expected-tables.js'
import {
  boolean,
  date,
  datetime,
  decimal,
  float,
  integer,
  json,
  localDatetime,
  oneOf,
  owner,
  parts,
  ref,
  string,
  text,
  timeOfDay,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { due } from '../../../plugin/schema/language/define-timer.js'
import { migrate } from '../../../plugin/storage/tables/migrate.js'
import { checkTables } from '../../../plugin/storage/tables/table-check.js'
import { testStore, withDatabase } from '../../support/database.js'
import { moduleUrl } from '../../support/modules.js'

const EVERYONE = { create: ['anyone'], update: ['anyone'] } as const
const id = integer({ readOnly: true })

const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields: {
    id,
    name: string(128),
    source: string(30),
    sourceID: string(128),
    remarks: text(),
    doors: integer(),
    weight: float(),
    price: decimal(),
    electric: boolean(),
    status: oneOf(['parked', 'driving']),
    bought_on: date(),
    seen_at: datetime(),
    due_at: datetime({ keywords: ['never'] }),
    washed_at: localDatetime(),
    opens: timeOfDay(),
    custom: json(),
    towed_by: ref('vehicle'),
    absent: ref('garage', { whenPresent: true }),
    wheels: parts('wheel'),
    comment: text({ writeOnly: true }),
  },
  collection: { fields: 'id name', sort: 'name', filterable: '' },
  links: { convoy: { record: 'vehicle', table: 'convoys', from: 'vehicle_id', to: 'other_id' } },
  parts: ['wheel'],
  unique: [['name']],
  access: EVERYONE,
})
const wheel = defineRecord('wheel', {
  path: 'wheels',
  fields: { id, vehicle: owner(), position: string(20) },
  collection: { fields: 'id position', sort: 'id', filterable: '' },
  partOf: ['vehicle'],
  unique: [['position']],
  title: null,
  access: EVERYONE,
})
const catalog: Catalog = compile([vehicle, wheel], [])

describe('the check of the tables', () => {
  const database = withDatabase()
  const schema = (): MigrationTools => {
    const { knex, dialect, table } = database.storage
    return { knex, dialect, table }
  }

  async function makeTables(): Promise<void> {
    await recordTable(schema(), 'vehicles', (table) => {
      table.string('name', 128)
      table.string('source', 30)
      table.string('sourceID', 128)
      table.text('remarks')
      table.integer('doors')
      table.float('weight')
      table.decimal('price')
      table.boolean('electric').notNullable().defaultTo(false)
      table.enum('status')
      table.date('bought_on')
      table.datetime('seen_at')
      table.datetimeOrWord('due_at')
      table.localDatetime('washed_at')
      table.timeOfDay('opens')
      table.json('custom')
      table.ref('towed_by_id')
      table.unique('account_id', 'name')
      table.unique('account_id', 'source', 'sourceID')
    })
    await partTable(schema(), 'wheels', (table) => {
      table.string('position', 20)
      table.unique('owner_type', 'owner_id', 'position')
    })
    await linkTable(schema(), 'convoys', 'vehicle_id', 'other_id')
    await migrate(database.storage, [], catalog)
  }

  const alter = (sql: string) => database.knex.raw(sql)
  const check = () => checkTables(database.storage, catalog)

  beforeEach(async () => {
    for (const table of ['convoys', 'wheels', 'vehicles']) await database.knex.schema.dropTableIfExists(`itsm_${table}`)
  })

  it('finds nothing wrong with tables that our own building blocks made', async () => {
    await makeTables()
    expect(await check()).to.deep.equal({ differences: [], draft: '' })
  })

  describe('for timers', () => {
    const park = due('seen_at', { while: { status: 'driving', electric: true }, set: { status: 'parked' } })
    const timed = compile([{ ...vehicle, timers: [park] }, wheel], [])
    const missing = 'itsm_vehicles: an index on status, electric, seen_at is missing, which timers or counts need'

    it('reports an index that is missing, and drafts it', async () => {
      await makeTables()
      const { differences, draft } = await checkTables(database.storage, timed)
      expect(differences).to.deep.equal([missing])
      expect(draft).to.include(
        "await addColumns(schema, 'vehicles', (table) => {\n      table.index('status', 'electric', 'seen_at')\n",
      )
      expect(draft).to.include('// the indexes of vehicles may stay')
      await addColumns(schema(), 'vehicles', (table) => table.index('seen_at', 'status', 'electric'))
      expect((await checkTables(database.storage, timed)).differences).to.deep.equal([missing])
      await addColumns(schema(), 'vehicles', (table) => table.index('electric', 'status', 'seen_at', 'doors'))
      expect(await checkTables(database.storage, timed)).to.deep.equal({ differences: [], draft: '' })
    })

    it('drafts it with a table that is missing as a whole', async () => {
      const { draft } = await checkTables(database.storage, timed)
      expect(draft).to.include("      table.index('status', 'electric', 'seen_at')\n")
    })
  })

  it('takes two queries, however many tables there are', async () => {
    await makeTables()
    let queries = 0
    const count = () => {
      queries += 1
    }
    database.knex.on('query', count)
    await check()
    database.knex.removeListener('query', count)
    expect(queries).to.equal(2)
  })

  it('expects no column for references to absent types, parts and fields that are only written', () => {
    const [table] = tablesOf(catalog)
    const columns = table?.columns.map((column) => column.name)
    expect(columns).to.include('towed_by_id').and.not.include.members(['absent_id', 'wheels', 'comment'])
  })

  it('reports a column that was dropped, and drafts it', async () => {
    await makeTables()
    await alter('alter table itsm_vehicles drop column doors')
    const { differences, draft } = await check()
    expect(differences).to.deep.equal(['itsm_vehicles.doors: the column is missing (int)'])
    expect(draft).to.include("await addColumns(schema, 'vehicles', (table) => {\n      table.integer('doors')\n")
    expect(draft).to.include("await dropColumns(schema, 'vehicles', 'doors')")
  })

  it('reports tables that are missing', async () => {
    const { differences } = await check()
    expect(differences).to.deep.equal([
      'itsm_vehicles: the table is missing',
      'itsm_convoys: the table is missing',
      'itsm_wheels: the table is missing',
    ])
  })

  it('drafts a migration that makes tables in which nothing is wrong', async () => {
    const { draft } = await check()
    await runDraft(draft, schema())
    await migrate(database.storage, [], catalog)
    expect(await check()).to.deep.equal({ differences: [], draft: '' })
  })

  it('reports a text that is too short', async function () {
    // SQLite does not limit texts.
    if (testStore() === 'embedded') this.skip()
    await makeTables()
    await alter('alter table itsm_vehicles modify name varchar(100)')
    await alter('alter table itsm_vehicles modify remarks text')
    expect((await check()).differences).to.deep.equal([
      'itsm_vehicles.name: the column holds 100 characters, but 128 are needed',
      'itsm_vehicles.remarks: the column holds 65535 characters, but 65536 are needed',
    ])
  })

  it('reports a column of the wrong kind', async () => {
    await makeTables()
    await alter('alter table itsm_vehicles drop column doors')
    await alter('alter table itsm_vehicles add column doors varchar(20)')
    const [difference] = (await check()).differences
    expect(difference).to.include('itsm_vehicles.doors: the column is varchar, but must be ')
  })

  it('reports a unique index over keys that was dropped; migrate() makes it again', async () => {
    await makeTables()
    const index = 'itsm_vehicles_account_id_key_of_name_unique'
    await alter(testStore() === 'embedded' ? `drop index ${index}` : `alter table itsm_vehicles drop index ${index}`)
    const missing = 'itsm_vehicles: keys of texts are missing; run migrate(), which makes them'
    expect(await check()).to.deep.equal({ differences: [missing], draft: '' })
    await migrate(database.storage, [], catalog)
    expect(await check()).to.deep.equal({ differences: [], draft: '' })
  })

  it('allows further columns, unless an insert without them would fail', async () => {
    await makeTables()
    await alter('alter table itsm_vehicles add column colour varchar(20)')
    await alter("alter table itsm_vehicles add column size varchar(20) not null default 'small'")
    expect((await check()).differences).to.deep.equal([])
    await database.knex.schema.dropTable('itsm_convoys')
    await linkTable(schema(), 'convoys', 'vehicle_id', 'other_id')
    await database.knex.schema.dropTable('itsm_convoys')
    await database.knex.schema.createTable('itsm_convoys', (table) => {
      table.bigInteger('vehicle_id').notNullable()
      table.bigInteger('other_id').notNullable()
      table.integer('rank').notNullable()
      table.unique(['other_id', 'vehicle_id'], { indexName: 'pairs' })
    })
    expect((await check()).differences).to.deep.equal([
      'itsm_convoys.rank: the column must have a value and has no default, but no field fills it',
    ])
  })

  it('says what to do about tables of ours that are missing', async () => {
    await makeTables()
    await database.knex.schema.renameTable('itsm_outbox', 'itsm_outbox_away')
    const { differences } = await check()
    await database.knex.schema.renameTable('itsm_outbox_away', 'itsm_outbox')
    expect(differences).to.deep.equal(['itsm_outbox: the table is missing; run migrate()'])
  })
})

/** Runs the `up` of a draft as it would run from the folder of the migrations. */
async function runDraft(draft: string, schema: MigrationTools): Promise<void> {
  const tools = moduleUrl('migrations/tools').href
  const source = draft.replace("'koa-itsm'", `'${tools}'`).replace(', type Migration', '').replace(': Migration', '')
  const { addMissingTables } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  await addMissingTables.up(schema)
}
