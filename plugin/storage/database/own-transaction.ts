import type { Knex } from 'knex'
import type { Storage } from './connections.js'
import { repeatOnDeadlock, transact } from './transact.js'

/**
 * Does work that belongs to no call in its own transaction, and repeats the whole work up to seven times if it loses against
 * another transaction. It does not lock the gaps between rows (`isolation.ts`): the saves of callers, which append to the same
 * tables, never wait for it.
 */
export async function inOwnTransaction<T>(storage: Storage, work: (db: Knex) => Promise<T>): Promise<T> {
  return repeatOnDeadlock(() => transact(storage, work))
}
