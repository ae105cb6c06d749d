import type { Knex } from 'knex'
import type { CallSignal } from '../../core/call-signal.js'
import { type Backoff, persistently } from '../../core/waiting/backoff.js'
import type { Storage } from './connections.js'
import { isDeadlock } from './faults.js'
import { isolationOf } from './isolation.js'
import { onLiveConnection } from './live-connection.js'
import { type Written, watchWrites } from './written-tables.js'

/**
 * Pauses of one to two and a half seconds in all: on a loaded machine each attempt takes long, so that those that met are still
 * there.
 */
const PAUSES: Backoff & { readonly repeats: number } = { firstMs: 25, mostMs: 800, repeats: 7 }

/** A transaction of the host that another one is part of, as a savepoint. */
export interface Around {
  begin<T>(work: (database: Knex.Transaction) => Promise<T>): PromiseLike<T>
  /** Called once for each attempt. The host decides when what was written is committed. */
  wrote(written: Written): void
}

/**
 * Runs one transaction of the pool at the isolation level of `isolation.ts`, without repetitions. If the work throws, that
 * error is thrown again, whatever the rollback does. If the connection was dead before the work began, another one is used.
 * Written tables are reported to `storage.changes`, even after an error: the response to a commit may have been lost.
 *
 * @param around a transaction of the host, which has the connection and the isolation level, and to which writes are reported
 */
export async function transact<T>(
  storage: Storage,
  work: (database: Knex.Transaction, written: Written) => Promise<T>,
  around?: Around,
): Promise<T> {
  const failures: unknown[] = []
  let began = false
  const written: Written[] = []
  const begin: Around['begin'] =
    around?.begin ?? (async (container) => storage.knex.transaction(container, isolationOf(storage)))
  const attempt = async () =>
    begin(async (database) => {
      // Knex continues if it could not begin; by then it has rejected the transaction with the reason.
      if (database.isCompleted()) throw new Error('The transaction could not begin')
      began = true
      const own = watchWrites(database)
      written.push(own)
      try {
        return await work(database, own)
      } catch (error) {
        failures.push(error)
        throw error
      }
    })
  try {
    const result = await (around ? attempt() : onLiveConnection(storage.knex.client, attempt, () => !began))
    // Knex rolls back for an error that is undefined, and reports success.
    if (failures.length > 0) throw failures[0]
    return result
  } catch (error) {
    throw failures.length > 0 ? (failures[0] ?? new Error(`The work of a transaction threw ${String(failures[0])}`)) : error
  } finally {
    for (const one of written) around ? around.wrote(one) : tellWritten(storage, one)
  }
}

/**
 * Repeats the whole work, up to seven times, if it loses against another transaction (deadlock, lock wait, a busy SQLite file).
 * The work must therefore begin and end its transaction itself. Pauses differ, so that transactions that met do not meet again.
 *
 * @param signal ends a pause: then its reason is thrown
 */
export function repeatOnDeadlock<T>(work: () => Promise<T>, signal?: CallSignal): Promise<T> {
  return persistently(work, { ...PAUSES, isWorth: isDeadlock, random: Math.random, ...(signal && { signal }) })
}

/** Reports the tables that an ended transaction has written. */
export function tellWritten({ changes }: Storage, written: Written): void {
  const tables = written.tables()
  if (tables === null || tables.size > 0) changes.tell(tables)
}
