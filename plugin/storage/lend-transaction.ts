/** The transaction of a call as a knex for rules and hooks: their statements are committed, and undone, with the save. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { Storage } from './connections.js'
import { inSavepoint } from './savepoint.js'
import { dbOf } from './transaction.js'

export interface LentTransaction {
  readonly db: Knex
  /** True if all statements have returned. */
  isIdle(): boolean
  /** Waits for all statements, also those that the function does not wait for. */
  idle(): Promise<void>
}

/** A savepoint of a lent transaction. */
interface Savepoint {
  /** The lent transaction that it belongs to. */
  readonly of: object
  /** The one in whose function it was begun. */
  readonly parent: Savepoint | null
  readonly ended: Promise<void>
  isOver: boolean
}

interface Statement {
  readonly sql?: string
}
/** The part of knex's client that builders use. */
interface Client {
  readonly config: object
  query(connection: object, statement: Statement | string): Promise<unknown>
  runner(builder: object): object
}

/** The savepoint that the running function belongs to. */
const within = new AsyncLocalStorage<Savepoint>()

/** Members of a knex that would end the transaction, leave it, or begin another one. */
const REFUSED = ['commit', 'rollback', 'savepoint', 'destroy', 'initialize', 'transactionProvider', 'migrate', 'seed'] as const

/** Statements that end a transaction; on MySQL, all that change tables do. */
const ENDS =
  /^(?:(?:begin|start|commit|end|rollback|savepoint|release|xa|set\s+(?:\w+\s+)?transaction|set\b[^;]*\bautocommit|(?:create|drop)(?!\s+temporary\b)|alter|truncate|rename|(?:un)?lock\s+tables?|analyze|optimize|repair|flush|grant|revoke|attach|detach|vacuum|pragma)\b|\/\*)/i
/** White space, comments and brackets before a statement. Servers run what is in the comments with an exclamation mark. */
const BEFORE = /^(?:[\s(]|--[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/)+/

/**
 * Lends the transaction of the call. Statements have the time limits of the plugin, end with the time of the call, and repeat
 * the whole work when they lose against another transaction, like those of the plugin.
 *
 * @param mustRun throws once it is too late for statements
 */
export function lendTransaction(storage: Storage, call: Call, mustRun: () => void): LentTransaction {
  let running = 0
  let last: Promise<unknown> = Promise.resolve()
  /** The innermost savepoint that is open. */
  let open: Savepoint | null = null
  const self = {}

  const track = <T>(work: () => Promise<T>): Promise<T> => {
    running += 1
    const done = work().finally(() => {
      running -= 1
    })
    last = done.catch(() => {})
    return done
  }
  /** The innermost open savepoint whose function is running here. */
  const mine = (): Savepoint | null => {
    let one = within.getStore() ?? null
    while (one && (one.isOver || one.of !== self)) one = one.parent
    return one
  }
  /** A savepoint that is rolled back must not undo what runs beside it: that has to wait for its end. */
  const mustWait = (): Promise<void> | null => (open === null || open === mine() ? null : open.ended)

  const savepoint = async <T>(work: (db: Knex) => Promise<T> | T): Promise<T> => {
    // Nothing may come between this test and `open = own`: functions of a batch begin at the same time.
    for (let wait = mustWait(); wait !== null; wait = mustWait()) await wait
    const outer = open
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const own: Savepoint = { of: self, parent: within.getStore() ?? null, ended, isOver: false }
    open = own
    const mustBeOpen = () => {
      mustRun()
      if (own.isOver) throw refusal('a statement after the end of its transaction()')
    }
    const run = async () => {
      try {
        return await work(lend(mustBeOpen))
      } finally {
        // Those that were begun within it and not awaited end first.
        while (open !== null && open !== own) await open.ended
      }
    }
    try {
      return await inSavepoint(storage, call, () => within.run(own, run))
    } finally {
      own.isOver = true
      open = outer
      end()
    }
  }

  const lend = (check: () => void): Knex => {
    const database = dbOf(storage, call)
    const inner = database.client as Client
    const { wrapIdentifier, postProcessResponse } = database.userParams
    const client: Client = Object.assign(Object.create(inner), {
      // A host that lends its pool gets its own conversion of names and rows.
      config: { ...inner.config, wrapIdentifier, postProcessResponse },
      query: (connection: object, statement: Statement | string) =>
        track(async () => {
          check()
          refuseEnd(typeof statement === 'string' ? statement : (statement.sql ?? ''))
          for (let wait = mustWait(); wait !== null; wait = mustWait()) await wait
          // Throws if the transaction is lost: the server would commit the statement on its own.
          dbOf(storage, call)
          return inner.query(connection, statement)
        }),
      // It would pass by the time limits; knex hides errors of the client from its reader.
      runner: (builder: object) => Object.assign(inner.runner.call(client, builder), { stream: refuseStream }),
    })
    const transaction = async (work: unknown, options?: object) => {
      check()
      if (typeof work !== 'function') throw refusal('transaction() without a function')
      if (options) throw refusal('transaction() with options')
      return track(() => savepoint(work as (db: Knex) => Promise<unknown>))
    }
    const context = Object.assign(Object.create(Object(database).context), { client, transaction })
    return new Proxy(database, {
      apply: (_, __, [table, options]) => context.queryBuilder().table(table, options),
      get(target, name, receiver) {
        if (name === 'context') return context
        if ((REFUSED as readonly unknown[]).includes(name)) throw refusal(`${String(name)}()`)
        return Reflect.get(target, name, receiver)
      },
    })
  }

  let db: Knex | null = null
  return {
    get db() {
      db ??= lend(mustRun)
      return db
    },
    isIdle: () => running === 0,
    async idle() {
      while (running > 0) {
        await last
        // The function may continue here.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

function refuseStream(): never {
  throw refusal('stream()')
}

function refuseEnd(sql: string): void {
  const statement = sql.replace(BEFORE, '')
  if (ENDS.test(statement)) throw refusal(`'${statement.slice(0, 30)}'`)
}

function refusal(what: string): TypeError {
  return new TypeError(
    `db is the transaction of the save, which ends with it: ${what} is not possible. Throw an error to undo the save, or use db.transaction(async (db) => { … }) for a part of it`,
  )
}
