/** Counts the statements that are sent to the database. */
import type { Knex } from 'knex'
import { watchStatements } from '../../plugin/testing/watch-statements.js'

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
  const { pool } = database.client
  const counter = counters.get(pool) ?? count(database)
  counters.set(pool, counter)
  return counter
}

function count(database: Knex): StatementCounter {
  let sent = 0
  const hearing = new Set<(sql: string) => void>()
  watchStatements(database).hear((sql) => {
    sent += 1
    if (WRITES.test(sql)) for (const hear of hearing) hear(sql)
  })
  return {
    async during(work) {
      const before = sent
      await work()
      return sent - before
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
