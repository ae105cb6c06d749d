/** Counted calls in the database, so that several processes agree. */
import { RateLimiterMySQL } from 'rate-limiter-flexible'
import type { Storage } from './connections.js'

/** What one limit needs to know. */
export interface Limit {
  readonly points: number
  /** In seconds. */
  readonly duration: number
  readonly keyPrefix: string
}

/** Makes counters in the table rate_limits. Only for MySQL and MariaDB: an embedded database has one process anyway. */
export function createLimitStore(storage: Storage): (limit: Limit) => RateLimiterMySQL {
  const dbName = String((storage.knex.client as { database(): string }).database())
  return (limit) =>
    new RateLimiterMySQL({
      ...limit,
      storeClient: storage.knex,
      storeType: 'knex',
      dbName,
      tableName: storage.table('rate_limits'),
      tableCreated: true,
      // The counter's own timer would keep the process alive; `forgetLimits` does its work.
      clearExpiredByTimeout: false,
    })
}

/** Deletes counters whose time is over. */
export async function forgetLimits(storage: Storage, now: Date): Promise<void> {
  await storage.knex(storage.table('rate_limits')).where('expire', '<', now.getTime()).delete()
}
