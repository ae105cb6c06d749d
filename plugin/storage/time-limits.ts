/**
 * Bounds in time for whatever is asked of the database. They sit in the knex client, which every statement passes, whether it is
 * written with knex or with Objection, in a transaction or not: none can be forgotten.
 */
import type { Knex } from 'knex'
import { isReadOnly, NoConnection, StatementTimeout } from './faults.js'
import { onLiveConnection, type Pooled } from './live-connection.js'

/** In milliseconds. */
export interface TimeLimits {
  /** For the answer to one statement. */
  readonly statement: number
  /** For a connection of the pool. */
  readonly connection: number
}

/** A pool with time limits. */
export interface Limited {
  /** Makes every later query fail with `NoConnection`. */
  close(): void
}

/** A connection of the driver. With mysql2, only destroying its stream closes it at once when the server is silent. */
export interface Connection {
  readonly stream?: { destroy(): void }
  destroy?(): void
  /** Looked at by knex, which throws such a connection away and makes a new one. */
  __knex__disposed?: unknown
}

interface Statement {
  readonly sql?: string
  readonly bindings?: readonly unknown[]
  readonly method?: unknown
  readonly sender?: Sender
}

/** Sends a statement in its own way, or as text after all; resolves with a `response` like that of knex. */
export type Sender = (
  connection: Connection,
  statement: Pick<Statement, 'sql' | 'bindings'>,
  asText: () => Promise<unknown>,
) => Promise<unknown>

/** The parts of knex's client that statements pass. Clients of transactions are made from its class, and inherit them. */
interface Client extends Pooled {
  readonly dialect: string
  /** Clients of transactions only. */
  readonly transacting?: boolean
  /** The end of the call that a transaction belongs to. */
  signal?: AbortSignal
  _query(connection: Connection, statement: Statement): Promise<unknown>
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
  runner(builder: Builder): Runner
}

type ClientClass = new () => Client

interface Builder {
  readonly _connection?: unknown
  toSQL(): Statement | readonly Statement[]
}

interface Runner {
  connection: unknown
  ensureConnection(use: unknown, parameters: unknown): Promise<unknown>
}

/** Knex waits five seconds for a rollback, and would then give its connection to others while it is still under way. */
const ROLLBACK_WITHIN = 4000

/** Sets the limits for all statements of a knex, and of the transactions that are begun with it. */
export function limitTime(database: Knex, limits: TimeLimits): Limited {
  const state = { closed: false }
  const client: object = database.client
  const { constructor: Base } = Object.getPrototypeOf(client) as { constructor: ClientClass }
  // Only by its class does a client hand anything on to the clients of its transactions.
  Object.setPrototypeOf(client, limitedClass(Base, limits, state).prototype)
  return {
    close() {
      state.closed = true
    },
  }
}

/** Lets no statement of a transaction begin, nor go on, when the signal has aborted; apart from the end of the transaction. */
export function endWith(transaction: Knex.Transaction, signal: AbortSignal): void {
  ;(transaction.client as Client).signal = signal
}

function limitedClass(Base: ClientClass, limits: TimeLimits, state: { readonly closed: boolean }): ClientClass {
  return class Limited extends Base {
    override async _query(connection: Connection, statement: Statement): Promise<unknown> {
      const sql = statement.sql ?? ''
      const isRollback = /^rollback;?$/i.test(sql)
      // How a transaction ends is to be known, if only there is time.
      const signal = isRollback || /^commit;?$/i.test(sql) ? undefined : this.signal
      signal?.throwIfAborted()
      // SQLite is in our process: a statement is done before any timer runs.
      if (this.dialect === 'sqlite3') return super._query(connection, statement)
      const asText = () => super._query(connection, statement)
      const send = () => statement.sender?.(connection, statement, asText) ?? asText()
      const time = isRollback ? Math.min(ROLLBACK_WITHIN, limits.statement) : limits.statement
      try {
        return await within(time, signal, send(), () => {
          const error = new StatementTimeout(time)
          discard(connection, error)
          return error
        })
      } catch (error) {
        if (isReadOnly(error)) connection.__knex__disposed = error
        throw error
      }
    }

    override async acquireConnection(): Promise<Connection> {
      // The pool of the host lets callers wait in vain once the host has destroyed it.
      if (state.closed || this.pool?.destroyed) throw new NoConnection('The pool of connections has been destroyed')
      const acquired = super.acquireConnection()
      try {
        return await within(limits.connection, undefined, acquired, () => {
          // It may come when nobody waits for it any more.
          acquired.then(
            (connection) => super.releaseConnection(connection),
            () => {},
          )
          return new Error(`There was no connection within ${limits.connection} ms`)
        })
      } catch (cause) {
        throw new NoConnection(cause instanceof Error ? cause.message : String(cause), { cause })
      }
    }

    override runner(builder: Builder): Runner {
      const runner = super.runner(builder)
      if (!this.transacting && builder._connection === undefined) readOnLiveConnection(this, runner, builder)
      return runner
    }
  }
}

function readOnLiveConnection(client: Client, runner: Runner, builder: Builder): void {
  const ensureConnection = runner.ensureConnection.bind(runner)
  runner.ensureConnection = (use, parameters) =>
    onLiveConnection(
      client,
      () => {
        runner.connection = undefined
        return ensureConnection(use, parameters)
      },
      () => isRead(builder),
    )
}

/** What knex calls statements that it has put together to read: one that begins with `with` may also write. */
const READS = new Set<unknown>(['select', 'first', 'pluck'])

function isRead(builder: Builder): boolean {
  return [builder.toSQL()].flat().every(({ sql = '', method }) => READS.has(method) || /^[\s(]*(select|show)\b/i.test(sql))
}

/** Ends a connection that may still be busy: what comes on it could be taken for the answer to the next statement. */
export function discard(connection: Connection, error: unknown): void {
  connection.__knex__disposed = error
  if (connection.stream) connection.stream.destroy()
  else connection.destroy?.()
}

/**
 * The outcome of the work, if it comes in time; otherwise the error that `late` makes, or the reason of the signal. Each statement
 * passes here twice: one promise instead of a race of two saves the promises and closures of `Promise.race`.
 */
function within<T>(milliseconds: number, signal: AbortSignal | undefined, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const giveUp = (reason: unknown) => {
      stop()
      reject(reason)
    }
    const abort = () => {
      late()
      giveUp(signal?.reason)
    }
    const timer = setTimeout(() => giveUp(late()), milliseconds)
    signal?.addEventListener('abort', abort)
    work.then((value) => {
      stop()
      resolve(value)
    }, giveUp)
  })
}
