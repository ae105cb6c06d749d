/**
 * Building blocks of migrations. They keep migrations readable and give every table the same character set, collation and
 * column types on MySQL, MariaDB and SQLite. The effect of a block must not change once a migration that uses it is released:
 * add another block instead.
 */
import type { Knex } from 'knex'
import { indexName, uniqueKeyName } from '../plugin/schema/derive/expected-tables.js'

export interface Migration {
  /** Must never change: the migrations table stores it. Without file extension. */
  readonly name: string
  up(schema: MigrationTools): Promise<void>
  down(schema: MigrationTools): Promise<void>
}

/** Database and tools of a migration. */
export interface MigrationTools {
  readonly knex: Knex
  readonly dialect: 'mysql' | 'sqlite'
  /** The full name of one of our tables. */
  table(name: string): string
}

/** A column, to add `notNullable()` or a default. */
type Column = Pick<Knex.ColumnBuilder, 'notNullable' | 'defaultTo' | 'primary'>

/**
 * The columns of a table. All may be null unless `notNullable()` is called: definitions say which fields are required, and
 * extensions may relax that. Names are column names (`change_id`).
 */
export interface Columns {
  /** BIGINT UNSIGNED with auto-increment, the primary key. */
  id(): void
  /** Text for people, up to `max` characters, compared without regard to case on MySQL. */
  string(name: string, max: number): Column
  /** Text for programs (ids, tokens, digests, event names), compared exactly. */
  exact(name: string, max?: number): Column
  /** Text of at least 64 KB, in MEDIUMTEXT. */
  text(name: string): Column
  /** A JSON object of a caller, stored as text. */
  json(name: string): Column
  /** Texts in order, stored as a JSON array. */
  strings(name: string): Column
  /** JSON or text without a practical limit. */
  longText(name: string): Column
  /** Bytes, up to 16 MB. */
  bytes(name: string): Column
  integer(name: string): Column
  float(name: string): Column
  decimal(name: string): Column
  boolean(name: string): Column
  enum(name: string): Column
  date(name: string): Column
  /** A timestamp in UTC, whole seconds. */
  datetime(name: string): Column
  /** A timestamp, or one of a few keywords in its place; text. */
  datetimeOrWord(name: string): Column
  /** A timestamp in UTC with milliseconds, for system tables. */
  moment(name: string): Column
  localDatetime(name: string): Column
  timeOfDay(name: string): Column
  /** The id of another record, without an index. */
  number(name: string): Column
  /** The id of another record, with an index. */
  ref(name: string): Column
  primary(...columns: string[]): void
  unique(...columns: string[]): void
  index(...columns: string[]): void
}

const TEXT = 'character set utf8mb4 collate utf8mb4_unicode_520_ci'
/**
 * Exact text is utf8mb4, too, not ascii: comparing an ascii column with any other character, for example from a header that a
 * client sent, is an error of the database and not just a mismatch.
 */
const EXACT = 'character set utf8mb4 collate utf8mb4_bin'

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

function columnsOn(schema: MigrationTools, table: string, builder: Knex.TableBuilder): Columns {
  const isMysql = schema.dialect === 'mysql'
  const column = (name: string, mysql: string, sqlite: string): Column => builder.specificType(name, isMysql ? mysql : sqlite)
  const exact = (name: string, max = 64) => column(name, `varchar(${max}) ${EXACT}`, `varchar(${max})`)
  const text = (name: string) => column(name, `mediumtext ${TEXT}`, 'text')
  const number = (name: string) => column(name, 'bigint unsigned', 'integer')
  const index = (...columns: string[]) => void builder.index(columns, indexName(table, columns))
  return {
    id: () => void (isMysql ? builder.bigIncrements('id') : builder.increments('id')),
    string: (name, max) => column(name, `varchar(${max}) ${TEXT}`, `varchar(${max})`),
    exact,
    text,
    json: text,
    strings: text,
    longText: (name) => column(name, `longtext ${TEXT}`, 'text'),
    bytes: (name) => column(name, 'mediumblob', 'blob'),
    integer: (name) => column(name, 'int', 'integer'),
    float: (name) => column(name, 'double', 'double'),
    decimal: (name) => column(name, 'decimal(14,2)', 'decimal(14,2)'),
    // knex's own method, because it also writes the default of a boolean as a number.
    boolean: (name) => builder.boolean(name),
    enum: exact,
    date: (name) => column(name, 'date', 'text'),
    datetime: (name) => column(name, 'datetime', 'text'),
    datetimeOrWord: (name) => exact(name, 20),
    moment: (name) => column(name, 'datetime(3)', 'text'),
    localDatetime: (name) => exact(name, 16),
    timeOfDay: (name) => column(name, `char(5) ${EXACT}`, 'char(5)'),
    number,
    ref: (name) => {
      index(name)
      return number(name)
    },
    primary: (...columns) => void builder.primary(columns),
    unique: (...columns) => void builder.unique(columns, { indexName: uniqueKeyName(table, columns) }),
    index,
  }
}
