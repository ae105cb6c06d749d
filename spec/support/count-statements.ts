/**
 * Counts the statements that are sent to the database. The events of knex are not enough: lists run on the raw connection of
 * the pool. So each connection is watched when it leaves the pool, for any user.
 */
import type { Knex } from 'knex'

type Run = (...values: unknown[]) => unknown

interface Statement {
  all: Run
  run: Run
}

/**
 * A connection of MySQL sends each statement with query(), or with execute() if it is prepared; an embedded database prepares
 * statements and keeps them.
 */
type Watched = { query: Run; execute: Run } | { prepare(sql: string): Statement; readonly statements?: Map<string, unknown> }

interface Pool {
  on(event: 'createSuccess' | 'acquireSuccess', listen: (eventId: number, connection: Watched) => void): void
}

export interface StatementCounter {
  /** Statements sent while the work ran, transactions included. */
  during(work: () => Promise<unknown>): Promise<number>
  /** The texts of the statements that write, in order, except for the ends of transactions. */
  writesOf(work: () => Promise<unknown>): Promise<readonly string[]>
  /** Tells of the text of each of these from now on. */
  onWrite(hear: (sql: string) => void): void
}

/** One counter per pool, for any number of specs. */
const counters = new WeakMap<object, StatementCounter>()

/** Watches all connections of the pool from now on. Plugins to which the knex is lent share the pool. */
export function countStatements(database: Knex): StatementCounter {
  const pool = database.client.pool as Pool
  const counter = counters.get(pool) ?? watchPool(pool)
  counters.set(pool, counter)
  return counter
}

function watchPool(pool: Pool): StatementCounter {
  let count = 0
  const hearing = new Set<(sql: string) => void>()
  const watched = new WeakSet<object>()
  const counted = (self: object, run: Run, prepared?: string): Run => {
    return (...values) => {
      count += 1
      const sql = prepared ?? textOf(values[0])
      if (WRITES.test(sql)) for (const hear of hearing) hear(sql)
      return run.apply(self, values)
    }
  }
  const watch = (_: number, connection: Watched) => {
    if (watched.has(connection)) return
    watched.add(connection)
    if ('query' in connection) {
      const { query, execute } = connection
      connection.query = counted(connection, query)
      connection.execute = counted(connection, execute)
      return
    }
    // Statements that were kept before would not be counted.
    connection.statements?.clear()
    const { prepare } = connection
    connection.prepare = (sql) => {
      const statement = prepare.call(connection, sql)
      const { all, run } = statement
      return Object.assign(statement, { all: counted(statement, all, sql), run: counted(statement, run, sql) })
    }
  }
  pool.on('createSuccess', watch)
  pool.on('acquireSuccess', watch)
  return {
    async during(work) {
      const before = count
      await work()
      return count - before
    },
    async writesOf(work) {
      const heard: string[] = []
      const hear = (sql: string) => void heard.push(sql)
      hearing.add(hear)
      await work().finally(() => hearing.delete(hear))
      return heard
    },
    onWrite: (hear) => void hearing.add(hear),
  }
}

const WRITES = /^\s*(insert|update|delete|replace)\b/i

/** Drivers get a text, or an object with it. */
function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String(Object(statement).sql ?? '')
}
