/**
 * Building blocks of migrations. They keep migrations readable and give every table the same character set, collation and
 * column types on MySQL, MariaDB and SQLite. The effect of a block must not change once a migration that uses it is released:
 * add another block instead.
 */
import type { Knex } from 'knex'
import { indexName } from '../plugin/schema/derive/expected-tables.js'
import { type Columns, columnsOn } from './columns.js'

export type { Columns } from './columns.js'

/**
 * One change of tables, which runs once.
 *
 * ```ts
 * import { addColumns, dropColumns, dropTables, linkTable, type Migration, partTable, recordTable } from 'koa-itsm'
 *
 * export const createVehicles: Migration = {
 *   name: 'fleet_0001_create_vehicles',
 *   async up(schema) {
 *     await recordTable(schema, 'vehicles', (table) => {
 *       table.string('name', 80).notNullable()
 *       table.enum('fuel')
 *       table.ref('driver_id')
 *       table.unique('account_id', 'name')
 *     })
 *     await partTable(schema, 'repairs', (table) => table.date('repaired_on'))
 *     await linkTable(schema, 'vehicle_drivers', 'vehicle_id', 'person_id')
 *     await addColumns(schema, 'tasks', (table) => table.ref('vehicle_id'))
 *   },
 *   async down(schema) {
 *     await dropColumns(schema, 'tasks', 'vehicle_id')
 *     await dropTables(schema, 'vehicle_drivers', 'repairs', 'vehicles')
 *   },
 * }
 * ```
 */
export interface Migration {
  /** Must never change: the migrations table stores it. Without file extension. */
  readonly name: string
  /** Makes the change. If it fails half-way it is run again, so each step has to be repeatable; the functions here are. */
  up(schema: MigrationTools): Promise<void>
  /** Takes it back, for development. The plugin never calls it. */
  down(schema: MigrationTools): Promise<void>
}

/** Database and tools of a migration: `knex` for what the functions here cannot do, and its `dialect`. */
export interface MigrationTools {
  readonly knex: Knex
  readonly dialect: 'mysql' | 'sqlite'
  /** The full name of one of our tables. */
  table(name: string): string
}

/** Creates a table with exactly these columns. An existing one, from a migration that was interrupted, is not changed. */
export async function createTable(schema: MigrationTools, name: string, build: (table: Columns) => void): Promise<void> {
  // DDL cannot be rolled back on MySQL: without this, a migration that failed could never be repeated.
  if (await schema.knex.schema.hasTable(schema.table(name))) return
  const creation = schema.knex.schema.createTable(schema.table(name), (builder) => {
    if (schema.dialect === 'mysql') {
      builder.engine('InnoDB')
      builder.charset('utf8mb4')
      builder.collate('utf8mb4_unicode_520_ci')
    }
    build(columnsOn(schema, schema.table(name), builder))
  })
  if (schema.dialect === 'mysql') await createWithIndexes(schema, schema.table(name), creation)
  else await creation
}

/**
 * Creates the table with all its indexes in one statement. knex uses one statement per index, so that a server would need
 * minutes for a hundred tables.
 */
async function createWithIndexes({ knex }: MigrationTools, table: string, creation: Knex.SchemaBuilder): Promise<void> {
  const add = `alter table \`${table}\` add `
  const [create, ...rest] = (creation.toSQL() as unknown as readonly { readonly sql: string }[]).map(({ sql }) => sql)
  const end = create?.lastIndexOf(') default character set') ?? -1
  const odd = rest.find((sql) => !sql.startsWith(add))
  if (!create || end < 0 || odd) throw new Error(`knex creates '${table}' by unexpected statements: ${odd ?? create}`)
  const keys = rest.map((sql) => `, ${sql.slice(add.length)}`).join('')
  await knex.raw(create.slice(0, end) + keys + create.slice(end))
}

/** The table of a record type: id and account, then the fields. */
export async function recordTable(schema: MigrationTools, name: string, build: (table: Columns) => void): Promise<void> {
  await createTable(schema, name, (table) => {
    table.id()
    table.exact('account_id').notNullable()
    table.index('account_id')
    build(table)
  })
}

/** The table of a record type of sub-records: id, account and owner, then the fields. */
export async function partTable(schema: MigrationTools, name: string, build: (table: Columns) => void): Promise<void> {
  await recordTable(schema, name, (table) => {
    table.exact('owner_type').notNullable()
    table.number('owner_id').notNullable()
    table.index('owner_type', 'owner_id')
    build(table)
  })
}

/** A table of pairs, each stored once; indexed from both sides. */
export async function linkTable(schema: MigrationTools, name: string, from: string, to: string): Promise<void> {
  await createTable(schema, name, (table) => {
    table.number(from).notNullable()
    table.number(to).notNullable()
    table.primary(from, to)
    table.index(to)
  })
}

/** Adds columns and indexes to an existing table. */
export async function addColumns(schema: MigrationTools, name: string, build: (table: Columns) => void): Promise<void> {
  await schema.knex.schema.alterTable(schema.table(name), (builder) => {
    build(columnsOn(schema, schema.table(name), builder))
  })
}

/** Adds an index on existing columns. An existing index, from a migration that was interrupted, is not changed. */
export async function addIndex(schema: MigrationTools, name: string, ...columns: string[]): Promise<void> {
  const table = schema.table(name)
  if (await hasIndex(schema, table, indexName(table, columns))) return
  await schema.knex.schema.alterTable(table, (builder) => {
    builder.index(columns, indexName(table, columns))
  })
}

/** Removes an index. One that an interrupted migration has already removed is skipped. */
export async function dropIndex(schema: MigrationTools, name: string, ...columns: string[]): Promise<void> {
  const table = schema.table(name)
  if (!(await hasIndex(schema, table, indexName(table, columns)))) return
  await schema.knex.schema.alterTable(table, (builder) => {
    builder.dropIndex(columns, indexName(table, columns))
  })
}

/** Removes columns. Those that an interrupted migration has already removed are skipped. */
export async function dropColumns(schema: MigrationTools, name: string, ...columns: string[]): Promise<void> {
  const table = schema.table(name)
  const existing: string[] = []
  for (const column of columns) if (await schema.knex.schema.hasColumn(table, column)) existing.push(column)
  if (existing.length === 0) return
  await schema.knex.schema.alterTable(table, (builder) => {
    builder.dropColumns(...existing)
  })
}

/** Rows per statement of `inRanges`. */
const RANGE = 500

/**
 * Changes rows of a table in ranges of their ids, in their order: each statement is short, and locks few rows.
 *
 * @param change gets the rows of one range, adds conditions, and updates them
 */
export async function inRanges(
  { knex, table }: MigrationTools,
  name: string,
  change: (rows: Knex.QueryBuilder) => PromiseLike<unknown>,
): Promise<void> {
  for (let last = 0; ; ) {
    const ids: (number | string)[] = await knex(table(name)).where('id', '>', last).orderBy('id').limit(RANGE).pluck('id')
    const [first] = ids
    if (first === undefined) return
    last = Number(ids.at(-1))
    await change(knex(table(name)).whereBetween('id', [Number(first), last]))
  }
}

/** Drops tables in the given order; those that do not exist are skipped. */
export async function dropTables(schema: MigrationTools, ...names: string[]): Promise<void> {
  for (const name of names) await schema.knex.schema.dropTableIfExists(schema.table(name))
}

/** True if the table, by its full name, has an index of this name. */
export async function hasIndex({ knex, dialect }: MigrationTools, table: string, name: string): Promise<boolean> {
  const known =
    dialect === 'mysql'
      ? knex('information_schema.statistics')
          .whereRaw('table_schema = database()')
          .where({ table_name: table, index_name: name })
      : knex('sqlite_master').where({ type: 'index', tbl_name: table, name })
  return (await known.first(knex.raw('1 as found'))) !== undefined
}
