/** The database, lent by the host or our own. Nothing here connects: pools open when the first query comes. */
import knex, { type Knex } from 'knex'
import { InvalidOptions } from '../core/errors.js'
import { embeddedDatabase } from './embedded/index.js'

/** A database and the names of our tables in it. */
export interface Storage {
  /** Queries run on it as they are written. When it is lent, it is the host's pool, but not the host's own object. */
  readonly knex: Knex
  /** MySQL and MariaDB are one dialect; embedded and lent SQLite are the other. */
  readonly dialect: 'mysql' | 'sqlite'
  /** What the names of all our tables start with. */
  readonly prefix: string
  /** The full name of one of our tables. */
  table(name: string): string
  /** True when the pool is ours and `close` ends it; what is lent is never closed by us. */
  readonly owned: boolean
  close(): Promise<void>
}

/** Either a knex of the host, or the address of a database for a pool of our own. */
export type StorageOptions =
  | { readonly knex: Knex }
  | { readonly url: string; readonly pool?: { readonly min?: number; readonly max?: number } }

/** Milliseconds after which a query gives up waiting for a connection of our own pool. */
const ACQUIRE_FOR = 10_000
/** Number of utf8mb4_unicode_520_ci. By name it would also become the (impossible) character set of tables that knex makes. */
const UNICODE_520_CI = 246
/** What our own connections agree on, however the server is configured. Lock waits are in seconds. */
const SESSION = [
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 10',
]

/** What knex would print on the console arrives as an error as well. */
const SILENT: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} }

/**
 * Opens the storage, without any I/O.
 *
 * @param options a lent `knex` (MySQL, MariaDB or SQLite), or a `url`: `mysql://user:password@host:port/database`, or
 *   `sqlite:` with a file name or `:memory:` for the embedded database. Parameters of a MySQL address are options of mysql2.
 * @param tablePrefix what all our table names start with, for example `itsm_`
 * @throws InvalidOptions for another database or an address that cannot be read
 */
export function openStorage(options: StorageOptions, tablePrefix: string): Storage {
  const owned = 'url' in options
  const database = owned ? openPool(options.url, options.pool ?? {}) : withoutProcessing(options.knex)
  return Object.freeze({
    knex: database,
    dialect: dialectOf(database),
    prefix: tablePrefix,
    table: (name: string) => tablePrefix + name,
    owned,
    close: async () => {
      if (owned) await database.destroy()
    },
  })
}

/**
 * The same pool and listeners, without the host's rewriting of names and rows (`wrapIdentifier`, `postProcessResponse`): our
 * columns are called exactly as the specification says. It is what knex's own migrator does with a knex that it is given.
 */
function withoutProcessing(lent: Knex): Knex {
  const ours: Knex & { disableProcessing?(): void } = lent.withUserParams({})
  ours.disableProcessing?.()
  return ours
}

function dialectOf(database: Knex): 'mysql' | 'sqlite' {
  const dialect: unknown = database.client?.dialect
  if (dialect === 'mysql' || dialect === 'mariadb') return 'mysql'
  if (dialect === 'sqlite3') return 'sqlite'
  throw new InvalidOptions([`mysql.knex: the database must be MySQL, MariaDB or SQLite, not ${String(dialect)}`])
}

function openPool(url: string, pool: { readonly min?: number; readonly max?: number }): Knex {
  if (url.startsWith('sqlite:')) return embeddedDatabase(url.slice('sqlite:'.length).replace(/^\/\//, '') || ':memory:')
  return knex({
    client: 'mysql2',
    connection: connectionOf(url),
    acquireConnectionTimeout: ACQUIRE_FOR,
    pool: { min: 0, max: 10, ...pool, afterCreate: agree },
    log: SILENT,
  })
}

function connectionOf(text: string): Knex.MySql2ConnectionConfig & { charsetNumber: number } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['mysql:', 'mariadb:'].includes(url.protocol)) {
    throw new InvalidOptions(["mysql.url: must look like 'mysql://user:password@host:port/database' or 'sqlite:file'"])
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port ? { port: Number(url.port) } : {}),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charsetNumber: UNICODE_520_CI,
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    ...Object.fromEntries([...url.searchParams].map(([name, value]) => [name, parameterOf(value)])),
  }
}

/** Parameters are written as in other MySQL addresses: numbers, true, false and objects as JSON, other texts bare. */
function parameterOf(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void
}

function agree(connection: RawConnection, done: (error: Error | null, connection: RawConnection) => void): void {
  connection.query(`SET SESSION ${SESSION.join(', ')}`, (error) => done(error, connection))
}
