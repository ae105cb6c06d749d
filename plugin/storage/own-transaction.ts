import type { Knex } from 'knex'
import type { Storage } from './connections.js'
import { repeatOnDeadlock } from './repeat.js'
import { transact } from './transact.js'

/**
 * Does bookkeeping that belongs to no call in a transaction of its own, and repeats the whole work up to three times when it
 * loses against another transaction. Each statement sees what is committed when it starts, and leaves no locks in the gaps
 * between rows: the saves of people, which append to the same tables, never wait for it.
 */
export async function inOwnTransaction<T>(storage: Storage, work: (db: Knex) => Promise<T>): Promise<T> {
  const config: Knex.TransactionConfig = storage.dialect === 'mysql' ? { isolationLevel: 'read committed' } : {}
  return repeatOnDeadlock(() => transact(storage, config, work))
}
