/**
 * Time limits for all database work. They are set in the knex client, which every statement passes through, whether it is
 * written with knex or with Objection, in a transaction or not: none can be forgotten.
 */
import type { Knex } from 'knex'
import type { CallSignal } from '../../core/call-signal.js'
import type { StatementFacts, Tell } from '../../core/observe.js'
import { isReadOnly, NoConnection, StatementEnded, StatementTimeout } from './faults.js'
import { onLiveConnection, type Pooled } from './live-connection.js'
import { withoutValues } from './without-values.js'

/** Time limits of a database, in milliseconds, and who is told how long statements took. */
export interface TimeLimits {
  /** Limit until a statement has returned. */
  readonly statement: number
  /** Limit until the pool has returned a connection. */
  readonly connection: number
  readonly watch?: Tell<StatementFacts> | undefined
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
  /** Read by knex, which discards such a connection and opens a new one. */
  __knex__disposed?: unknown
}

interface Statement {
  readonly sql?: string
  readonly bindings?: readonly unknown[]
  readonly method?: unknown
  readonly sender?: Sender
}

/** Sends a statement in its own way, or as text; resolves with a `response` like that of knex. */
export type Sender = (
  connection: Connection,
  statement: Pick<Statement, 'sql' | 'bindings'>,
  asText: () => Promise<unknown>,
) => Promise<unknown>

/** The parts of knex's client that statements pass through. Clients of transactions inherit from its class. */
interface Client extends Pooled {
  readonly dialect: string
  readonly config: { compileSqlOnError?: boolean }
  /** Set only on clients of transactions. */
  readonly transacting?: boolean
  /** Signal of the call that a transaction belongs to. */
  signal?: CallSignal
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

/** Knex waits five seconds for a rollback, and would then return its connection to the pool while it is still in progress. */
const ROLLBACK_WITHIN = 4000

/**
 * Sets the limits for all statements of a knex, and of the transactions that are begun with it. Their errors show the SQL of the
 * statement without its values, which may be what nobody else is allowed to read: neither responses nor logs contain them.
 */
export function limitTime(database: Knex, limits: TimeLimits): Limited {
  const state = { closed: false }
  const client = database.client as Client
  // Knex would write the values into the message of each error. Our client of a lent pool has a configuration of its own.
  client.config.compileSqlOnError = false
  const { constructor: Base } = Object.getPrototypeOf(client) as { constructor: ClientClass }
  // Clients of transactions inherit only from the class of a client.
  const Limited = limitedClass(Base, limits, state)
  Object.setPrototypeOf(client, (limits.watch ? watchedClass(Limited, limits.watch) : Limited).prototype)
  return {
    close() {
      state.closed = true
    },
  }
}

/** Tells of each statement: outside of the limits, so that one that came too late is told of as well. */
function watchedClass(Limited: ClientClass, tell: Tell<StatementFacts>): ClientClass {
  return class Watched extends Limited {
    override async _query(connection: Connection, statement: Statement): Promise<unknown> {
      const since = performance.now()
      let failed = true
      try {
        const result = await super._query(connection, statement)
        failed = false
        return result
      } finally {
        tell({ sql: statement.sql ?? '', ms: performance.now() - since, failed })
      }
    }
  }
}

/** Rejects all statements of a transaction, running or new, once the signal has aborted; except COMMIT and ROLLBACK. */
export function endWith(transaction: Knex.Transaction, signal: CallSignal): void {
  ;(transaction.client as Client).signal = signal
}

function limitedClass(Base: ClientClass, limits: TimeLimits, state: { readonly closed: boolean }): ClientClass {
  return class Limited extends Base {
    override async _query(connection: Connection, statement: Statement): Promise<unknown> {
      const sql = statement.sql ?? ''
      const isRollback = /^rollback;?$/i.test(sql)
      // The result of COMMIT or ROLLBACK must be known, if there is time for it.
      const signal = isRollback || /^commit;?$/i.test(sql) ? undefined : this.signal
      if (signal?.aborted) throw new StatementEnded(signal.reason)
      const asText = () => super._query(connection, statement)
      const send = () => statement.sender?.(connection, statement, asText) ?? asText()
      const time = isRollback ? Math.min(ROLLBACK_WITHIN, limits.statement) : limits.statement
      try {
        // SQLite runs in this process: a statement ends before any timer fires, and waiting for a busy file has its own limit.
        if (this.dialect === 'sqlite3') return await asText()
        return await within(time, signal, send(), () => {
          const error = new StatementTimeout(time)
          discard(connection, error)
          return error
        })
      } catch (error) {
        if (isReadOnly(error)) connection.__knex__disposed = error
        throw withoutValues(error, sql)
      }
    }

    override async acquireConnection(): Promise<Connection> {
      // Once the host has destroyed its pool, the pool would let callers wait in vain.
      if (state.closed || this.pool?.destroyed) throw new NoConnection('The pool of connections has been destroyed')
      const acquired = super.acquireConnection()
      try {
        return await within(limits.connection, undefined, acquired, () => {
          // The connection may come after its caller has stopped waiting.
          acquired.then(
            (connection) => super.releaseConnection(connection),
            () => {},
          )
          return new Error(`No connection was available within ${limits.connection} ms`)
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

/** The methods that knex gives to statements that it has built for reading: one that begins with `with` may also write. */
const READS = new Set<unknown>(['select', 'first', 'pluck'])

function isRead(builder: Builder): boolean {
  return [builder.toSQL()].flat().every(({ sql = '', method }) => READS.has(method) || /^[\s(]*(select|show)\b/i.test(sql))
}

/** Closes a connection that may still be busy: its late result could be taken for that of the next statement. */
export function discard(connection: Connection, error: unknown): void {
  connection.__knex__disposed = error
  if (connection.stream) connection.stream.destroy()
  else connection.destroy?.()
}

/**
 * Result of the work, if it comes in time; otherwise the error that `late` creates, or `StatementEnded` when the signal aborts.
 * Every statement passes through here twice: one promise instead of a race of two saves the promises and closures of
 * `Promise.race`.
 */
function within<T>(milliseconds: number, signal: CallSignal | undefined, work: Promise<T>, late: () => Error): Promise<T> {
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
      giveUp(new StatementEnded(signal?.reason))
    }
    const timer = setTimeout(() => giveUp(late()), milliseconds)
    signal?.addEventListener('abort', abort)
    work.then((value) => {
      stop()
      resolve(value)
    }, giveUp)
  })
}
