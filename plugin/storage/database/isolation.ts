/**
 * The isolation level of everything that writes: READ COMMITTED (ADR 0019). Each statement sees what is committed when it
 * starts, so that what is read after a lock is as current as the locked row itself. Gaps between rows are not locked.
 */
import type { Knex } from 'knex'
import type { Storage } from './connections.js'

/** Statement for each new connection of our own pools on a server; their transactions then need none. */
export const SET_ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** Settings of a transaction: a lent pool has sessions of the host, and an embedded database has a single writer. */
export function isolationOf({ dialect, owned }: Pick<Storage, 'dialect' | 'owned'>): Knex.TransactionConfig {
  return dialect === 'mysql' && !owned ? { isolationLevel: 'read committed' } : {}
}
