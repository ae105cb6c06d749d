/** `koa-itsm/embedded`: a database without a server. The only file that loads the package libsql. */
import type { Knex } from 'knex'
import { loadPackage } from '../../core/load-package.js'
import { libsqlClient } from './libsql-client.js'
import { SILENT } from './silent.js'

/**
 * A knex on an embedded SQLite database, ready to be lent to `createPlugin({ database: { knex } })`. It has one connection, so
 * a query outside of an open transaction waits for that transaction. The caller must destroy it.
 *
 * ```ts
 * import { embeddedDatabase } from 'koa-itsm/embedded'
 *
 * export const knex = embeddedDatabase('.data/desk.sqlite')
 * ```
 *
 * @param filename path of the database file, created if it does not exist; `:memory:` for one that ends with the process
 * @throws Error if the optional package libsql is not installed
 */
export function embeddedDatabase(filename: string): Knex {
  return loadPackage('knex').knex({
    client: libsqlClient(),
    connection: { filename },
    useNullAsDefault: true,
    // In memory, a connection is the database: min 1 keeps it from being closed when it is idle.
    pool: { min: 1, max: 1 },
    log: SILENT,
  })
}
