/**
 * Transactions of the host that work of ours joins (ADR 0068). Each operation is a savepoint in it, in turn with the others. The
 * host commits and rolls back; what has to run after a commit waits for the end of its outermost transaction.
 */
import type { Knex } from 'knex'
import type { Instant } from '../../core/clock.js'
import { TransactionLost } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import { HeardPromise } from '../../core/waiting/heard-promise.js'
import { createPending, type Pending } from '../../core/waiting/pending-work.js'
import type { Storage } from './connections.js'
import { isDeadlock, isRolledBack } from './faults.js'
import { type Client, inOwnPart, useOwnClient } from './host-client.js'
import { isLate, noteLateCommit, older } from './late-commits.js'
import { createNestedTurns, type NestedTurns } from './nested-turns.js'
import { type Around, tellWritten } from './transact.js'
import { type Afterwards, type Inside, inPartOf, type LeftByPart, runAfterwards } from './transaction.js'
import { createFailures, type Failures, logUnheard } from './unheard-failures.js'

/**
 * A transaction of the host: `await knex.transaction()`, or the argument of `knex.transaction(async (trx) => …)`. Described by its
 * members, so that a host can use another version of knex.
 */
export interface HostTransaction {
  (table: string): object
  /** The client of knex. */
  readonly client: unknown
  /** Resolves after the commit, and rejects after a rollback. */
  readonly executionPromise: Promise<unknown>
  /** True after a commit or a rollback. */
  isCompleted(): boolean
  /** Commits; the plugin never calls it. */
  commit(value?: unknown): unknown
}

/** A transaction of the host that has been joined, or one around it. */
interface Level {
  readonly trx: Knex.Transaction
  /** Null for the outermost one. */
  readonly outer: Level | null
  readonly afterwards: Afterwards[]
  /** Reports tables that were written; only the outermost one has any. */
  readonly written: (() => void)[]
  /** Operations that have not ended. */
  readonly pending: Pending
  readonly turns: NestedTurns
  /** The oldest time of the calls that have written in it. */
  oldest: Instant | null
  readonly failures: Failures
  /** Set once the server has rolled the transaction back. */
  lost: TransactionLost | null
}

/** The levels of one plugin. */
type Levels = WeakMap<object, Level>

/** Flag in the status that MySQL returns with each result: a transaction is open. */
const IN_TRANSACTION = 1

/** Work in transactions of the host. */
export interface HostTransactions {
  /**
   * Does an operation as a part of a transaction of the host, when those before it have ended. If it throws, only its own changes
   * are undone, and the host can go on.
   *
   * @param place names the caller in errors
   * @throws TypeError for a transaction of another pool; an Error for one that has ended, and in a hook or rule of an operation of
   *   the same transaction, which would wait for itself
   * @throws TransactionLost if the transaction lost against another one: only the host can repeat it
   */
  within<T>(place: string, given: HostTransaction, work: (inside: Inside) => Promise<T>): Promise<T>
  /**
   * Begins an operation that a commit of the transaction waits for from now on, whether or not the host does. If it fails and nobody
   * waits for it, the commit fails with its error, because the host takes it for done; the process goes on.
   */
  enrol<T>(given: HostTransaction, operation: () => Promise<T>): Promise<T>
}

/** Creates the functions. @param log is told of failures that no commit can fail with any more */
export function createHostTransactions(storage: Storage, log: Pick<Log, 'error'>): HostTransactions {
  const levels: Levels = new WeakMap()
  const inTurn = async <T>(place: string, level: Level, work: (inside: Inside) => Promise<T>): Promise<T> => {
    if (level.trx.isCompleted()) throw hasEnded(place)
    await mustBeOfPool(storage, place, level.trx)
    const { turns } = outermost(level)
    if (turns.isWithin())
      throw new Error(`${place}: a hook or rule must not use the transaction that its own record is saved in; db is part of it`)
    const after = ({ afterwards, oldest }: LeftByPart) => {
      level.afterwards.push(...afterwards)
      const last = outermost(level)
      last.oldest = older(last.oldest, oldest)
    }
    try {
      return await turns.take(() => inPartOf(storage, aroundOf(storage, place, level), work, after))
    } catch (error) {
      if (error instanceof TransactionLost || !isDeadlock(error)) throw error
      throw level.lost ?? new TransactionLost(error)
    }
  }
  return {
    within(place, given, work) {
      const level = levelOf(storage, levels, given as unknown as Knex.Transaction)
      return tracked(level, inTurn(place, level, work))
    },
    enrol(given, operation) {
      const level = levelOf(storage, levels, given as unknown as Knex.Transaction)
      const begun = operation()
      const promise = HeardPromise.watch(begun, (error, failing) => {
        if (level.trx.isCompleted()) logUnheard(log, { error, operation: failing })
        else for (const { failures } of around(level)) failures.note({ error, operation: failing })
      })
      // After it, so that a commit that no longer waits knows of the failure.
      void tracked(level, begun).catch(() => {})
      return promise
    },
  }
}

/** A commit waits for the operation, also in the transactions around this one: half of a record would be stored. */
function tracked<T>(level: Level, operation: Promise<T>): Promise<T> {
  for (const { pending } of around(level)) void pending.track(operation)
  return operation
}

/** The transaction, and those around it. */
function around(level: Level): readonly Level[] {
  return level.outer ? [level, ...around(level.outer)] : [level]
}

function aroundOf(storage: Storage, place: string, level: Level): Around {
  const { trx } = level
  return {
    begin: (container) => {
      if (level.lost) throw level.lost
      return trx.transaction(async (part) => {
        if (part.isCompleted()) throw hasEnded(place)
        useOwnClient(storage, part)
        await mustBeOpen(storage, place, part)
        return container(part)
      })
    },
    wrote: (written) => void outermost(level).written.push(() => tellWritten(storage, written)),
  }
}

async function mustBeOfPool(storage: Storage, place: string, trx: Knex.Transaction): Promise<void> {
  const { pool }: Client = storage.knex.client
  const connection = await (trx.client as Client).acquireConnection()
  if (pool?.used?.some(({ resource }) => resource === connection)) return
  const fix = storage.owned
    ? 'the plugin has a pool of its own (database.url): lend it your knex as database.knex, and begin the transaction with that'
    : 'begin it with the knex that was lent as database.knex'
  throw new TypeError(`${place}: the transaction must be of the pool of the plugin, not of another one: ${fix}`)
}

/** A transaction that a statement of the host has ended (`create table`) would let each of ours be committed by itself. */
async function mustBeOpen(storage: Storage, place: string, part: Knex.Transaction): Promise<void> {
  if (storage.dialect === 'sqlite') {
    const { inTransaction } = await (part.client as Client).acquireConnection()
    if (inTransaction === false) throw hasEnded(place)
    return
  }
  const [result]: { readonly serverStatus?: number }[] = await part.raw('SAVEPOINT itsm_begun')
  if (result?.serverStatus !== undefined && (result.serverStatus & IN_TRANSACTION) === 0) throw hasEnded(place)
}

function levelOf(storage: Storage, levels: Levels, trx: Knex.Transaction): Level {
  const known = levels.get(trx)
  if (known) return known
  const outer = trx.parentTransaction ? levelOf(storage, levels, trx.parentTransaction) : null
  const [pending, turns] = [createPending(), createNestedTurns()]
  const started = { afterwards: [], written: [], failures: createFailures(), oldest: null }
  const level: Level = { trx, outer, ...started, pending, turns, lost: outer?.lost ?? null }
  levels.set(trx, level)
  let last = ''
  trx.on('query', ({ sql }: { readonly sql: string }) => {
    turns.progress()
    if (/^(?:commit|release|rollback)\b/i.test(sql)) last = sql
  })
  // It hears the statements of savepoints, too.
  trx.on('query-error', (error: unknown) => {
    if (isRolledBack(error)) lose(level, new TransactionLost(error))
  })
  waitBeforeCommit(storage, level)
  // Knex also fulfills the promise of a transaction that was rolled back without an error.
  trx.executionPromise.then(
    () => end(level, !/^rollback/i.test(last)),
    () => end(level, false),
  )
  return level
}

function waitBeforeCommit(storage: Storage, level: Level): void {
  const { trx } = level
  const commit = trx.commit.bind(trx)
  const commitLater = async (value?: unknown) => {
    await level.pending.idle()
    const missed = level.failures.unheard()
    if (level.lost === null && missed === null) {
      if (isLate(storage, level.oldest)) await inOwnPart(storage, trx, (part) => noteLateCommit(storage, part, level.oldest))
      return commit(value)
    }
    level.failures.told()
    const error = level.lost ?? missed?.error
    await trx.rollback(error)
    throw error
  }
  // Most hosts have awaited everything: then knex completes the transaction at once.
  const mayCommit = () => level.pending.isIdle() && !level.lost && !level.failures.unheard() && !isLate(storage, level.oldest)
  trx.commit = ((value) => (mayCommit() ? commit(value) : commitLater(value))) as typeof trx.commit
}

/** Refuses all later statements: the server would commit each of them by itself. */
function lose(level: Level, lost: TransactionLost): void {
  if (level.lost) return
  level.lost = lost
  const client = level.trx.client as Client
  const query = client.query.bind(client)
  client.query = async (connection, statement) => {
    const sql = typeof statement === 'string' ? statement : (statement.sql ?? '')
    if (!/^rollback\b/i.test(sql)) throw lost
    return query(connection, statement)
  }
  const context = (level.trx as unknown as { readonly context: { transaction: unknown } }).context
  context.transaction = async () => {
    throw lost
  }
}

function end(level: Level, isCommitted: boolean): void {
  const { afterwards, outer, written } = level
  if (outer) {
    if (isCommitted) outer.afterwards.push(...afterwards)
    return
  }
  for (const tell of written) tell()
  if (isCommitted) runAfterwards(afterwards)
}

function outermost(level: Level): Level {
  return level.outer ? outermost(level.outer) : level
}

function hasEnded(place: string): Error {
  return new Error(`${place}: the transaction has ended: await everything that belongs to it before it is committed`)
}
