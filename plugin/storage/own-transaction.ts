import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Storage } from './connections.js'
import { isDeadlock } from './faults.js'

/** Pauses before the work is done again, in milliseconds. Their number is the number of repetitions. */
const PAUSES = [10, 50, 200]

/**
 * Does bookkeeping that belongs to no call in a transaction of its own, and repeats the whole work up to three times when it
 * loses against another transaction. Each statement sees what is committed when it starts, and leaves no locks in the gaps
 * between rows: the saves of people, which append to the same tables, never wait for it.
 */
export async function inOwnTransaction<T>(storage: Storage, work: (db: Knex) => Promise<T>): Promise<T> {
  const config: Knex.TransactionConfig = storage.dialect === 'mysql' ? { isolationLevel: 'read committed' } : {}
  for (const pause of PAUSES) {
    try {
      return await storage.knex.transaction(work, config)
    } catch (error) {
      if (!isDeadlock(error)) throw error
    }
    await sleep(pause)
  }
  return storage.knex.transaction(work, config)
}
