/** The transaction of a call as a knex for rules and hooks: their statements are committed, and undone, with the save. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { createPending, type Pending } from '../../core/waiting/pending-work.js'
import type { Storage } from './connections.js'
import { onlyReads, refusedStatement } from './plain-statements.js'
import { asTheHostReads } from './read-alike.js'
import { inSavepoint } from './savepoint.js'
import { dbOf, endEarly, turnsOf } from './transaction.js'

/** A transaction as hooks and rules get it. Statements of `db` are pending until they have returned. */
export interface LentTransaction extends Pick<Pending, 'isIdle' | 'idle'> {
  readonly db: Knex
}

interface Statement {
  readonly sql?: string
}
/** The settings and states of mysql2 and SQLite that are read here. */
interface Connection {
  readonly config?: { readonly multipleStatements?: unknown }
  readonly inTransaction?: boolean
}
/** The part of knex's client that builders use. */
interface Client {
  readonly config: object
  query(connection: Connection, statement: Statement | string): Promise<unknown>
  runner(builder: object): object
}

/**
 * Members of a knex that would end the transaction, leave it, begin another one, wait for its end, or change what the plugin
 * itself does with it.
 */
export const REFUSED: readonly string[] = [
  ...['commit', 'rollback', 'savepoint', 'executionPromise', 'parentTransaction', 'transactionProvider'],
  ...['destroy', 'initialize', 'migrate', 'seed'],
  ...['withUserParams', 'disableProcessing', 'enableProcessing', 'removeAllListeners'],
]

/** A member of what is lent, and of nothing else. */
const LENT = Symbol('lent')

/** True for the `db` of a rule or hook. */
export function isLent(given: unknown): boolean {
  return typeof given === 'function' && Reflect.get(given, LENT) === true
}

/**
 * Lends the transaction of the call. Statements have the time limits of the plugin, end with the time of the call, and repeat
 * the whole work when they lose against another transaction, like those of the plugin.
 *
 * @param mustRun throws once it is too late for statements
 */
export function lendTransaction(storage: Storage, call: Call, mustRun: () => void): LentTransaction {
  const pending = createPending()

  /** A savepoint that is rolled back must not undo what runs beside it, so both take turns. */
  const savepoint = <T>(work: (db: Knex) => Promise<T> | T): Promise<T> =>
    turnsOf(storage, call).take((close) => {
      let isOver = false
      const mustBeOpen = () => {
        mustRun()
        if (isOver) throw refusal('a statement after the end of its transaction()')
      }
      return inSavepoint(storage, call, async () => {
        try {
          return await work(lend(mustBeOpen))
        } finally {
          // What was begun within it and not awaited ends first.
          await close()
          isOver = true
        }
      })
    })

  const lend = (check: () => void): Knex => {
    const database = dbOf(storage, call)
    const inner = database.client as Client
    const { wrapIdentifier, postProcessResponse } = database.userParams
    const send = async (connection: Connection, statement: Statement | string, sql: string) => {
      // Throws if the transaction is lost: the server would commit the statement on its own.
      dbOf(storage, call)
      try {
        return await inner.query(connection, asTheHostReads(statement))
      } catch (error) {
        // On SQLite, a trigger or a constraint of the host may roll back; statements after it would be committed one by one.
        if (connection.inTransaction === false) endEarly(storage, call, endedBy(sql, error))
        throw error
      }
    }
    const query = async (connection: Connection, statement: Statement | string) => {
      check()
      const sql = typeof statement === 'string' ? statement : (statement.sql ?? '')
      const refused = refusedStatement(sql, Boolean(connection.config?.multipleStatements))
      if (refused !== null) throw refusal(`'${refused.slice(0, 30)}'`)
      // What only reads waits for nothing: the work that it would wait for may be waiting for it.
      if (onlyReads(sql)) return send(connection, statement, sql)
      return turnsOf(storage, call).take(() => send(connection, statement, sql))
    }
    const client: Client = Object.assign(Object.create(inner), {
      // A host that lends its pool gets its own conversion of names and rows.
      config: { ...inner.config, wrapIdentifier, postProcessResponse },
      query: (connection: Connection, statement: Statement | string) => pending.track(query(connection, statement)),
      // It would pass by the time limits; knex hides errors of the client from its reader.
      runner: (builder: object) => Object.assign(inner.runner.call(client, builder), { stream: () => refuse('stream()') }),
      transaction: () => refuse('client.transaction()'),
    })
    const transaction = async (work: unknown, options?: object) => {
      check()
      if (typeof work !== 'function') throw refusal('transaction() without a function')
      if (options) throw refusal('transaction() with options')
      return pending.track(savepoint(work as (db: Knex) => Promise<unknown>))
    }
    const context = Object.assign(Object.create(Object(database).context), { client, transaction })
    return new Proxy(database, {
      apply: (_, __, [table, options]) => context.queryBuilder().table(table, options),
      get(target, name, receiver) {
        if (name === 'context') return context
        if (name === LENT) return true
        if (REFUSED.includes(name as string)) throw refusal(`${String(name)}()`)
        return Reflect.get(target, name, receiver)
      },
    })
  }

  let db: Knex | null = null
  return {
    isIdle: pending.isIdle,
    idle: pending.idle,
    // Last: objects with a getter before other members are slow.
    get db() {
      db ??= lend(mustRun)
      return db
    },
  }
}

function refuse(what: string): never {
  throw refusal(what)
}

function refusal(what: string): TypeError {
  return new TypeError(
    `db is the transaction of the save, which ends with it: ${what} is not possible. Throw an error to undo the save, or use db.transaction(async (db) => { … }) for a part of it`,
  )
}

function endedBy(sql: string, cause: unknown): Error {
  return new Error(`A statement of a hook or rule has ended the transaction of the save: '${sql.slice(0, 30)}'`, { cause })
}
