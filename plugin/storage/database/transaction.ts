/** Transactions. A call carries its transaction, so that everything done for the call joins it; only this file looks inside. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import type { Instant } from '../../core/clock.js'
import { unlessAborted } from '../../core/waiting/in-time.js'
import type { Storage } from './connections.js'
import { isDeadlock } from './faults.js'
import { noteLateCommit, older } from './late-commits.js'
import { createNestedTurns, type NestedTurns } from './nested-turns.js'
import { endWith } from './time-limits.js'
import { type Around, repeatOnDeadlock, transact } from './transact.js'

/** State that lives as long as an outermost transaction. */
export interface Kept {
  /** Called when a savepoint begins; returns the function to call when the transaction is rolled back to it. */
  savepoint(): () => void
}

/** Work for after the commit: what saves pass to the same function is passed together. */
export interface Afterwards {
  readonly tell: (all: readonly never[]) => void
  readonly said: readonly unknown[]
}

/** The value of `call.transaction`. */
class OpenTransaction {
  readonly storage: Storage
  readonly database: Knex.Transaction
  /** True for a part of a transaction of the host, which has rows that others do not see. */
  readonly isHosts: boolean
  readonly afterwards: Afterwards[] = []
  readonly kept = new Map<object, Kept>()
  readonly turns = createNestedTurns()
  /** The oldest time of the calls in it, which their records store. */
  oldest: Instant | null = null
  /** The error with which the transaction ended before its time: it lost against another one, or a statement has ended it. */
  lost: unknown = null

  constructor(storage: Storage, database: Knex.Transaction, isHosts = false) {
    this.storage = storage
    this.database = database
    this.isHosts = isHosts
    database.on('query', () => this.turns.progress())
    database.on('query-error', (error: unknown) => {
      if (isDeadlock(error)) this.lost ??= error
    })
  }
}

/**
 * Does the work in a transaction, and passes it a call that is in the transaction.
 *
 * If the call is in a transaction already, the work joins it: there is no savepoint, so an error has to reach the outermost
 * caller to undo anything. Otherwise the transaction begins here, is committed after the work, and rolled back if it throws. If
 * it loses against another transaction (deadlock, lock wait, a busy SQLite file), the whole work is repeated, up to seven times;
 * it must therefore have no effects outside of the transaction other than through `afterCommit`.
 *
 * When the time of the call has expired, it is rolled back, whatever the work waits for, and the signal's reason is thrown.
 */
export async function inTransaction<T>(storage: Storage, call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  if (call.transaction) {
    const open = openIn(storage, call)
    open.oldest = older(open.oldest, call.now)
    return work(call)
  }
  return repeatOnDeadlock(() => begin(storage, call, work), call.signal)
}

/**
 * The connection for queries of the call: its transaction, or the pool if it is in none. To be called again for each query.
 *
 * @throws the reason of the call's signal when its time has expired
 */
export function dbOf(storage: Storage, call?: Pick<Call, 'transaction' | 'signal'>): Knex {
  call?.signal?.throwIfAborted()
  return call?.transaction ? openIn(storage, call).database : storage.knex
}

/** The part of a call that says in which transaction it is. */
export type Inside = Pick<Call, 'transaction'>

/** What a part of a transaction leaves to its end. */
export interface LeftByPart {
  /** What has to run once the host has committed. */
  readonly afterwards: readonly Afterwards[]
  /** The oldest time of its calls; null if nothing was written. */
  readonly oldest: Instant | null
}

/**
 * Does a part of a transaction that the host ends.
 *
 * @param after gets what is left to the host's commit
 */
export async function inPartOf<T>(
  storage: Storage,
  around: Around,
  work: (inside: Inside) => Promise<T>,
  after: (left: LeftByPart) => void,
): Promise<T> {
  let left: LeftByPart = { afterwards: [], oldest: null }
  const result = await transact(
    storage,
    async (database, written) => {
      const open = new OpenTransaction(storage, database, true)
      const done = await notLost(open, work({ transaction: open }))
      left = { afterwards: open.afterwards, oldest: written.tables()?.size === 0 ? null : open.oldest }
      return done
    },
    around,
  )
  after(left)
  return result
}

/** True for a call in a transaction of the host: what is remembered between calls may differ from the rows that it sees. */
export function isInHosts(call: Inside | undefined): call is Inside & { readonly transaction: object } {
  return call?.transaction instanceof OpenTransaction && call.transaction.isHosts
}

/** The value of `call.transaction` for work in a transaction that belongs to no call (`inOwnTransaction`). */
export function transactionOf(storage: Storage, database: Knex): object {
  return new OpenTransaction(storage, database as Knex.Transaction)
}

/**
 * Runs a function once the outermost transaction of the call is committed; never if it is rolled back. Runs it at once if the
 * call is in no transaction. Only for what makes things faster: a crash right after the commit skips it.
 */
export function afterCommit(call: Pick<Call, 'transaction'>, run: () => void): void {
  tellAfterCommit(call, () => run(), [])
}

/**
 * Like `afterCommit`, for values that many saves of a transaction pass to the same function: it runs once, with all of them.
 */
export function tellAfterCommit<T>(
  call: Pick<Call, 'transaction'>,
  tell: (all: readonly T[]) => void,
  said: readonly T[],
): void {
  if (call.transaction instanceof OpenTransaction) call.transaction.afterwards.push({ tell, said })
  else tell(said)
}

/**
 * State of the outermost transaction of the call, created at its first use.
 *
 * @param owner owner of the state; each owner has its own
 */
export function keptWith<T extends Kept>(
  storage: Storage,
  call: Pick<Call, 'transaction'>,
  owner: object,
  make: (database: Knex.Transaction) => T,
): T {
  const { kept, database } = openIn(storage, call)
  const found = (kept.get(owner) as T | undefined) ?? make(database)
  kept.set(owner, found)
  return found
}

/** Turns of all that rules and hooks do in the outermost transaction of the call. */
export function turnsOf(storage: Storage, call: Pick<Call, 'transaction'>): NestedTurns {
  return openIn(storage, call).turns
}

/** To be called when a statement has ended the transaction: everything after it would be committed by itself. */
export function endEarly(storage: Storage, call: Pick<Call, 'transaction'>, error: unknown): void {
  openIn(storage, call).lost = error
}

/** To be called when a savepoint begins; the result undoes what is kept with the transaction if it is rolled back to it. */
export function keepSavepoint(storage: Storage, call: Pick<Call, 'transaction'>): () => void {
  const { kept, afterwards } = openIn(storage, call)
  const undo = new Map([...kept].map(([owner, state]) => [owner, state.savepoint()]))
  const count = afterwards.length
  return () => {
    afterwards.splice(count)
    for (const owner of [...kept.keys()]) if (!undo.has(owner)) kept.delete(owner)
    for (const one of undo.values()) one()
  }
}

async function begin<T>(storage: Storage, call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  let afterwards: readonly Afterwards[] = []
  const { signal } = call
  signal?.throwIfAborted()
  const result = await transact(storage, async (database, written) => {
    const open = new OpenTransaction(storage, database)
    open.oldest = call.now
    afterwards = open.afterwards
    if (signal) endWith(database, signal)
    const begun = () => work({ ...call, transaction: open })
    const done = await notLost(open, signal ? unlessAborted(signal, begun) : begun())
    await noteLateCommit(storage, database, open.oldest, written)
    return done
  })
  runAfterwards(afterwards)
  return result
}

/** Work that has caught the error of a lost transaction would otherwise keep only the statements after it. */
async function notLost<T>(open: OpenTransaction, work: Promise<T>): Promise<T> {
  const done = await work
  if (open.lost !== null) throw open.lost
  return done
}

/** Does what was left for after the commit: each function once, with all that was passed to it. */
export function runAfterwards(afterwards: readonly Afterwards[]): void {
  const together = new Map<Afterwards['tell'], unknown[]>()
  for (const { tell, said } of afterwards) {
    const all = together.get(tell) ?? []
    together.set(tell, all)
    for (const one of said) all.push(one)
  }
  for (const [tell, all] of together) runSafely(() => tell(all as never[]))
}

/** The commit is final: an error after it must not look like a failure of the work. */
function runSafely(run: () => void): void {
  try {
    run()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

function openIn(storage: Storage, call: Pick<Call, 'transaction'>): OpenTransaction {
  if (!(call.transaction instanceof OpenTransaction)) throw new Error('The call carries a transaction that is not ours')
  if (call.transaction.storage !== storage) throw new Error('The call is in a transaction of another database')
  if (call.transaction.lost !== null) throw call.transaction.lost
  return call.transaction
}
