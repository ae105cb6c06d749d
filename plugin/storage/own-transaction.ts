import type { Knex } from 'knex'
import type { Storage } from './connections.js'
import { repeatOnDeadlock } from './repeat.js'
import { transact } from './transact.js'

/**
 * Does bookkeeping that belongs to no call in a transaction of its own, and repeats the whole work up to five times when it
 * loses against another transaction. Its locks leave the gaps between rows free (`isolation.ts`): the saves of people, which
 * append to the same tables, never wait for it.
 */
export async function inOwnTransaction<T>(storage: Storage, work: (db: Knex) => Promise<T>): Promise<T> {
  return repeatOnDeadlock(() => transact(storage, work))
}
