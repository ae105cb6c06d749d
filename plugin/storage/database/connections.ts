/** The database: lent by the host, or a pool of the plugin. Nothing here connects: pools open at the first query. */
import type { Knex } from 'knex'
import { type Clock, systemClock } from '../../core/clock.js'
import { InvalidOptions } from '../../core/errors.js'
import { loadPackage } from '../../core/load-package.js'
import type { StatementFacts, Tell } from '../../core/observe.js'
import { embeddedDatabase } from '../embedded/index.js'
import { SILENT } from '../embedded/silent.js'
import { SET_ISOLATION } from './isolation.js'
import { readAlike } from './read-alike.js'
import { type Connection, discard, limitTime } from './time-limits.js'
import { type Changes, createChanges } from './written-tables.js'

/** A database and the names of our tables in it. */
export interface Storage {
  /** Runs queries as they are written. If the pool is lent, this is not the object of the host, but uses its pool. */
  readonly knex: Knex
  /** MySQL and MariaDB are one dialect; embedded and lent SQLite are the other. */
  readonly dialect: 'mysql' | 'sqlite'
  /** Prefix of the names of all our tables. */
  readonly prefix: string
  /** The full name of one of our tables. */
  table(name: string): string
  /** True if the pool belongs to the plugin and `close` ends it; a lent pool is never closed by the plugin. */
  readonly owned: boolean
  /** The writes of this process, for caches of rows. */
  readonly changes: Changes
  /** The clock of the calls, whose times records store. */
  readonly clock: Clock
  /** Does long work, such as migrating, on the same database without time limits. */
  unhurried<T>(work: (storage: Storage) => Promise<T>): Promise<T>
  /** After it, queries on an own pool fail with `NoConnection`. */
  close(): Promise<void>
}

/**
 * Your knex, as far as the plugin uses it: a call with the name of a table, `client`, `withUserParams`, `raw` and `destroy`.
 */
export interface LentKnex {
  (table: string): object
  readonly client: unknown
  withUserParams(params: Record<string, unknown>): unknown
  raw(sql: string): PromiseLike<unknown>
  destroy(): Promise<void>
}

/** Either a knex of the host, or the URL of a database for a pool of the plugin. */
export type StorageOptions =
  | { readonly knex: LentKnex }
  | { readonly url: string; readonly pool?: { readonly min?: number; readonly max?: number } }

/** Milliseconds until a statement must have returned: longer than our own pool waits for a lock, shorter than a call. */
export const STATEMENT_WITHIN = 15_000
/** Milliseconds that a query waits for a connection of our own pool, and a new connection for the server. */
const ACQUIRE_FOR = 10_000
/** Milliseconds after our own limit at which the server ends a statement: it may not notice that the connection is closed. */
const SERVER_LATER = 2000
/**
 * Number of utf8mb4_unicode_520_ci. By name it would also become the (impossible) character set of tables that knex creates.
 */
const UNICODE_520_CI = 246
/** Settings of all connections of our own pool, whatever the configuration of the server. Lock waits are in seconds. */
const SESSION = [
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 10',
]

/**
 * Opens the storage, without any I/O.
 *
 * @param options a lent `knex` (MySQL, MariaDB or SQLite), or a `url`: `mysql://user:password@host:port/database`, or `sqlite:`
 * with a file name or `:memory:` for the embedded database. Parameters of a MySQL URL are options of mysql2.
 * @param tablePrefix prefix of the names of all our tables, for example `itsm_`
 * @param statementWithin milliseconds after which a statement is aborted; default 15,000
 * @param watch is told of each statement, except those of unhurried work
 * @param clock the clock of the calls
 * @throws InvalidOptions for another database or a URL that cannot be parsed
 */
export function openStorage(
  options: StorageOptions,
  tablePrefix: string,
  statementWithin: number = STATEMENT_WITHIN,
  watch?: Tell<StatementFacts> | undefined,
  clock: Clock = systemClock,
): Storage {
  const owned = 'url' in options
  const database = owned ? openPool(options.url, options.pool ?? {}, statementWithin) : borrowed(options.knex)
  const isServer = dialectOf(database) === 'mysql'
  const limited = limitTime(database, {
    statement: statementWithin,
    connection: owned && isServer ? Math.min(ACQUIRE_FOR, statementWithin) : statementWithin,
    watch,
  })
  const storage = storageOf(database, tablePrefix, owned, clock, {
    async unhurried(work) {
      // An embedded database has a single connection, and no time limits.
      if (!isServer) return work(storage)
      if (!owned) return work(storageOf(borrowed(options.knex), tablePrefix, owned, clock))
      const patient = openPool(options.url, { min: 0, max: 2 }, null)
      try {
        return await work(storageOf(patient, tablePrefix, owned, clock))
      } finally {
        await patient.destroy()
      }
    },
    async close() {
      if (!owned) return
      limited.close()
      await database.destroy()
    },
  })
  return storage
}

/** Creates a storage. Without `more` it has no time limits, and `close` does nothing. */
function storageOf(
  database: Knex,
  prefix: string,
  owned: boolean,
  clock: Clock,
  more?: Pick<Storage, 'unhurried' | 'close'>,
): Storage {
  const storage: Storage = Object.freeze({
    knex: database,
    dialect: dialectOf(database),
    prefix,
    table: (name: string) => prefix + name,
    owned,
    changes: createChanges(),
    clock,
    unhurried: (work) => work(storage),
    close: async () => {},
    ...more,
  } satisfies Storage)
  return storage
}

/**
 * Returns a knex with the pool and listeners of the host, without the host's conversion of names and rows (`wrapIdentifier`,
 * `postProcessResponse`): our columns have exactly the names of the specification. Knex's own migrator does the same with a knex
 * that it gets. Values are read in our form, too.
 */
function borrowed(lent: LentKnex): Knex {
  const ours = lent.withUserParams({}) as Knex & { disableProcessing?(): void }
  ours.disableProcessing?.()
  return readAlike(ours)
}

function dialectOf(database: Knex): 'mysql' | 'sqlite' {
  const dialect: unknown = database.client?.dialect
  if (dialect === 'mysql' || dialect === 'mariadb') return 'mysql'
  if (dialect === 'sqlite3') return 'sqlite'
  throw new InvalidOptions([`database.knex: the database must be MySQL, MariaDB or SQLite, not ${String(dialect)}`])
}

/** @param statementWithin null for connections without a time limit per statement */
function openPool(url: string, pool: { readonly min?: number; readonly max?: number }, statementWithin: number | null): Knex {
  if (url.startsWith('sqlite:')) return embeddedDatabase(url.slice('sqlite:'.length).replace(/^\/\//, '') || ':memory:')
  const own = loadPackage('knex').knex({
    client: 'mysql2',
    connection: connectionOf(url),
    // Without it knex asks for the version once, for all connections: a server that does not respond would block all of them.
    ...(statementWithin === null ? {} : { version: 'latest' }),
    acquireConnectionTimeout: ACQUIRE_FOR,
    pool: { min: 0, max: 10, createTimeoutMillis: 2 * ACQUIRE_FOR, ...pool, afterCreate: agree(statementWithin) },
    log: SILENT,
  })
  // Parameters of the URL are settings as well.
  return readAlike(own)
}

function connectionOf(text: string): Knex.MySql2ConnectionConfig & { charsetNumber: number } {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['mysql:', 'mariadb:'].includes(url.protocol)) {
    throw new InvalidOptions(["database.url: must look like 'mysql://user:password@host:port/database' or 'sqlite:file'"])
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
    connectTimeout: ACQUIRE_FOR,
    // Detects, while a connection is idle, that its other end has disappeared.
    enableKeepAlive: true,
    keepAliveInitialDelay: ACQUIRE_FOR,
    ...Object.fromEntries([...url.searchParams].map(([name, value]) => [name, parameterOf(value)])),
  }
}

/** Parses a parameter like other MySQL URLs: numbers, true, false and objects as JSON, other texts without quotes. */
function parameterOf(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

interface RawConnection extends Connection {
  query(statement: { sql: string; timeout: number }, done: (error: Error | null) => void): void
}

type Agreed = (error: Error | null, connection: RawConnection) => void

/** Prepares a new connection. The limits are those of MariaDB (in seconds, for all statements) and of MySQL (for reads). */
function agree(statementWithin: number | null): (connection: RawConnection, done: Agreed) => void {
  const limit = statementWithin === null ? 0 : statementWithin + SERVER_LATER
  // Each server takes the part of the other one for a comment.
  const settings = `SET SESSION ${SESSION.join(', ')}/*M! , max_statement_time = ${limit / 1000} *//*!80000 , max_execution_time = ${limit} */`
  return (connection, done) => {
    const end = (error: Error | null) => {
      // The pool drops a connection that fails here, but does not close it.
      if (error) discard(connection, error)
      done(error, connection)
    }
    connection.query({ sql: settings, timeout: ACQUIRE_FOR }, (error) => {
      if (error) end(error)
      else connection.query({ sql: SET_ISOLATION, timeout: ACQUIRE_FOR }, end)
    })
  }
}
