/** Counters of calls in the database, shared by several processes. */
import type { RateLimiterMySQL } from 'rate-limiter-flexible'
import { loadPackage } from '../../core/load-package.js'
import type { Storage } from '../database/connections.js'
import type { Connection } from '../database/time-limits.js'

/** Settings of one limit. */
export interface Limit {
  readonly points: number
  /** Seconds. */
  readonly duration: number
  readonly keyPrefix: string
}

/** Creates counters that several processes share; undefined for an embedded database, which has one process. */
export function sharedLimitStore(storage: Storage): ((limit: Limit) => RateLimiterMySQL) | undefined {
  return storage.dialect === 'mysql' ? createLimitStore(storage) : undefined
}

/** Creates counters in the table rate_limits. Only for MySQL and MariaDB. */
export function createLimitStore(storage: Storage): (limit: Limit) => RateLimiterMySQL {
  const RateLimiterMySQL = loadPackage('rate-limiter-flexible/lib/RateLimiterMySQL.js')
  const dbName = String((storage.knex.client as { database(): string }).database())
  return (limit) =>
    new RateLimiterMySQL({
      ...limit,
      storeClient: { client: poolOf(storage) },
      storeType: 'knex',
      dbName,
      tableName: storage.table('rate_limits'),
      tableCreated: true,
      // The counter's own timer would keep the process alive; `purgeLimits` does its work.
      clearExpiredByTimeout: false,
    })
}

/** A connection in the form that the counter needs. */
interface Counting {
  readonly connection: Connection
  query(sql: string, ...rest: readonly unknown[]): void
  rollback(): void
}

/** The counter would write on bare connections, without time limits. Here its statements run like all others. */
function poolOf({ knex }: Storage) {
  return {
    async acquireConnection(): Promise<Counting> {
      const connection: Connection = await knex.client.acquireConnection()
      const run = (sql: string, values: readonly unknown[] = []) =>
        knex.raw(sql, values as never).connection(connection) as Promise<[rows: unknown]>
      return {
        connection,
        query(sql, ...rest) {
          const done = rest.at(-1) as (error: unknown, rows?: unknown) => void
          const values = rest.length > 1 ? (rest[0] as readonly unknown[]) : []
          run(sql, values).then(([rows]) => done(null, rows), done)
        },
        rollback() {
          run('ROLLBACK').catch(() => {})
        },
      }
    },
    releaseConnection: ({ connection }: Counting): Promise<void> => knex.client.releaseConnection(connection),
  }
}

/** Deletes counters that have expired. */
export async function purgeLimits(storage: Storage, now: Date): Promise<void> {
  await storage.knex(storage.table('rate_limits')).where('expire', '<', now.getTime()).delete()
}
