/**
 * knex on libsql: SQLite in the process, from a package that needs no compiler. The package is optional and loaded when a
 * client is created, never by an import. All differences from knex's own SQLite client are in this file.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { loadPackage } from '../../core/load-package.js'

/** Milliseconds for which a statement waits for another connection to the same file. */
const BUSY_FOR = 5000
/** Prepared statements use memory until the next garbage collection, so recent ones are kept and used again. */
const STATEMENTS = 200
/** Maximum length of kept statements. Longer ones are bulk inserts, which rarely repeat; those that read many columns do. */
const MAX_KEPT_LENGTH = 4096
const MAX_KEPT_READ_LENGTH = 16_384

interface Statement {
  readonly reader: boolean
  all(bindings: readonly unknown[]): unknown[]
  run(bindings: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
}

interface Connection {
  readonly open: boolean
  readonly memory: boolean
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): void
  /** Added here: recent statements by their text. On the connection, because knex creates more clients for transactions. */
  statements?: Map<string, Statement>
  /** Added here: true if a statement has given up waiting for another connection. */
  isLeft?: boolean
  /** Set by knex when the time of a statement is over. */
  readonly __knex__disposed?: unknown
}

interface Query {
  sql?: string
  bindings?: readonly unknown[]
  response?: unknown
  context?: { lastID?: number; changes?: number }
}

/**
 * Makes a knex client class, to be used as `client`. Its constructor throws if the package libsql is not installed. A function,
 * because processes with a database server need not load the client of knex that it extends.
 */
export function libsqlClient(): typeof Knex.Client {
  const BetterSqliteClient = loadPackage('knex/lib/dialects/better-sqlite3/index.js')
  class LibsqlClient extends BetterSqliteClient {
    override initializeDriver(): void {
      try {
        this.driver = loadPackage('libsql')
      } catch (cause) {
        throw new Error('The embedded database needs the package libsql: npm install libsql', { cause })
      }
    }

    override async acquireRawConnection(): Promise<Connection> {
      const connection = (await super.acquireRawConnection()) as Connection
      connection.exec('PRAGMA foreign_keys = ON')
      await whenFree(connection, () => connection.exec('PRAGMA journal_mode = WAL'))
      return connection
    }

    async _query(connection: Connection, query: Query): Promise<Query> {
      const { sql } = query
      if (!sql) throw new Error('The query is empty')
      let statement: Statement | undefined
      try {
        await whenFree(connection, () => {
          // The same one each time: see `whenFree`.
          statement ??= statementFor(connection, beginWriting(sql))
          this.run(statement, query)
        })
        return query
      } catch (error) {
        throw withKnownForm(error)
      }
    }

    /** Called by knex before a connection is used again. */
    override async validateConnection(connection: Connection): Promise<boolean> {
      // In memory, the connection is the database.
      return connection.memory || !connection.isLeft
    }

    private run(statement: Statement, query: Query): void {
      const bindings = this._formatBindings(query.bindings)
      if (statement.reader) {
        query.response = statement.all(bindings)
        query.context = {}
        return
      }
      const result = statement.run(bindings)
      query.response = result
      query.context = { lastID: Number(result.lastInsertRowid), changes: result.changes }
    }
  }
  return LibsqlClient as unknown as typeof Knex.Client
}

function statementFor(connection: Connection, sql: string): Statement {
  const kept = connection.statements ?? new Map<string, Statement>()
  connection.statements = kept
  // A statement prepared before a change of the schema would return the old columns.
  if (/^\s*(create|drop|alter|pragma|vacuum|attach)\b/i.test(sql)) kept.clear()
  const known = kept.get(sql)
  if (known) return known
  const statement = connection.prepare(sql)
  if (sql.length > (statement.reader ? MAX_KEPT_READ_LENGTH : MAX_KEPT_LENGTH)) return statement
  const oldest = kept.size < STATEMENTS ? undefined : kept.keys().next().value
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(sql, statement)
  return statement
}

/**
 * A transaction that starts by reading cannot be promoted once another connection has written, so ours take the write lock at
 * their beginning, where waiting is still possible.
 */
function beginWriting(sql: string): string {
  return sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql
}

/**
 * Waits for other connections without blocking the process: SQLite's own busy timeout would stop the event loop, and with it
 * the transaction that holds the lock, if that belongs to the same process.
 *
 * A statement that was busy stays begun until it runs again. SQLite commits only with the last writing statement of a
 * connection, so it would keep what others write from being committed, and undo it when it is collected as garbage. So the work
 * has to repeat the same statement, and a connection on which one gives up is not used any more.
 */
async function whenFree(connection: Connection, work: () => void): Promise<void> {
  for (let waited = 0, pause = 5; ; waited += pause, pause = Math.min(pause * 2, 100)) {
    try {
      return work()
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error
      if (connection.inTransaction || waited >= BUSY_FOR) {
        connection.isLeft = true
        throw error
      }
    }
    await sleep(pause)
    // A closed connection would still run the statement, and end the process when it is asked for its state.
    if (!connection.open || connection.__knex__disposed !== undefined) throw new Error('The connection was closed')
  }
}

/** Constraint errors in the form from which Objection creates its typed errors; all others unchanged. */
function withKnownForm(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const failed = /(UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed.*/.exec(error.message)
  if (!failed) return error
  const known = new Error(`SQLITE_CONSTRAINT: ${failed[0]}`, { cause: error })
  return Object.assign(known, { code: 'SQLITE_CONSTRAINT', errno: 19 })
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}
