/** Columns of tables, with the types that they have on MySQL, MariaDB and SQLite. */
import type { Knex } from 'knex'
import { indexName, uniqueKeyName } from '../plugin/schema/derive/expected-tables.js'
import type { MigrationTools } from './tools.js'

/** A column, to add `notNullable()` or a default. */
export type Column = Pick<Knex.ColumnBuilder, 'notNullable' | 'defaultTo' | 'primary'>

/**
 * The columns of a table. All may be null unless `notNullable()` is called: definitions say which fields are required, and
 * extensions may relax that. Names are column names (`change_id`). `integer`, `float`, `decimal`, `boolean`, `enum`, `date`,
 * `localDatetime` and `timeOfDay` are for fields of these kinds (`enum` for `oneOf`); `primary`, `unique` and `index` make keys.
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

/** The columns of one table while it is created or changed. @param table its full name */
export function columnsOn(schema: MigrationTools, table: string, builder: Knex.TableBuilder): Columns {
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
