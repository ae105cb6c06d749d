/**
 * Hears the statements that are sent to a database. The events of knex are not enough: lists run on the raw connection of the
 * pool, and copies of a knex have events of their own. So each connection is watched when it leaves the pool, for any user.
 */
import type { Knex } from 'knex'

type Run = (...values: unknown[]) => unknown

interface Statement {
  all: Run
  run: Run
}

/** A connection of mysql2 sends each statement with query(), or with execute() if it is prepared. */
interface Server {
  query: Run
  execute: Run
}

/** An embedded database prepares statements; our client keeps them. */
interface Embedded {
  exec: Run
  prepare(sql: string): Statement
  readonly statements?: Map<string, unknown>
}

const WATCHED = Symbol('watched statements')

interface Pool {
  [WATCHED]?: Statements
  on(event: 'createSuccess' | 'acquireSuccess', listen: (eventId: number, connection: object) => void): void
}

/** Statements of one pool. */
export interface Statements {
  /** Tells of the text of each statement from now on, before it is executed. */
  hear(listener: (sql: string) => void): void
  /** True if the pool has had connections of a driver that cannot be watched. */
  isDeaf(): boolean
}

/** Watches all connections of the pool from now on, each once. Plugins to which the knex is lent share the pool. */
export function watchStatements(database: Pick<Knex, 'client'>): Statements {
  const pool = database.client.pool as Pool
  pool[WATCHED] ??= watchPool(pool)
  return pool[WATCHED]
}

function watchPool(pool: Pool): Statements {
  let isDeaf = false
  const listeners: ((sql: string) => void)[] = []
  const watched = new WeakSet<object>()
  const heard = (self: object, run: Run, prepared?: string): Run => {
    return (...values) => {
      const sql = prepared ?? textOf(values[0])
      for (const listener of listeners) listener(sql)
      return run.apply(self, values)
    }
  }
  const watch = (_: number, connection: object) => {
    if (watched.has(connection)) return
    watched.add(connection)
    if (isServer(connection)) {
      const { query, execute } = connection
      connection.query = heard(connection, query)
      connection.execute = heard(connection, execute)
    } else if (isEmbedded(connection)) {
      // Statements that were kept before would not be heard.
      connection.statements?.clear()
      const { exec, prepare } = connection
      connection.exec = heard(connection, exec)
      connection.prepare = (sql) => {
        const statement = prepare.call(connection, sql)
        const { all, run } = statement
        return Object.assign(statement, { all: heard(statement, all, sql), run: heard(statement, run, sql) })
      }
    } else isDeaf = true
  }
  pool.on('createSuccess', watch)
  pool.on('acquireSuccess', watch)
  return { hear: (listener) => void listeners.push(listener), isDeaf: () => isDeaf }
}

function isServer(connection: object): connection is Server {
  return 'query' in connection && 'execute' in connection
}

/** True for libsql and better-sqlite3. The package sqlite3 can prepare, too, but knex then does not. */
function isEmbedded(connection: object): connection is Embedded {
  return 'prepare' in connection && 'inTransaction' in connection
}

/** Drivers get a text, or an object with it. */
function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String(Object(statement).sql ?? '')
}
