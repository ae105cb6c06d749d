/** Pools of hosts on the database of a spec, which they lend to the plugin. */
import knex, { type Knex } from 'knex'
import { knexSnakeCaseMappers } from 'objection'
import { embeddedDatabase } from '../../plugin/storage/embedded/index.js'

/** A pool as the README makes it. @param more settings of the host, such as its conversion of names */
export function hostPool(url: string, more: Knex.Config = {}): Knex {
  if (!url.startsWith('sqlite:')) return knex({ client: 'mysql2', connection: url, pool: { min: 0, max: 10 }, ...more })
  const pool = embeddedDatabase(url.slice('sqlite:'.length).replace(/^\/\//, ''))
  Object.assign(pool.client.config, more)
  return pool
}

/** A cell, for functions of hosts that cast by themselves. */
interface Cell {
  readonly type: string
  readonly length: number
  string(): string | null
}

/** Settings of pools with which other values come from the driver, or other rows from knex. All are for servers. */
export const POOLS_OF_HOSTS: Readonly<Record<string, (url: string) => Knex.Config>> = {
  'as the README makes it': () => ({}),
  'with dates in the time zone of the host': (url) => ({ connection: connectionTo(url, { timezone: '+05:30' }) }),
  'with texts for dates and large numbers': (url) => ({
    connection: connectionTo(url, {
      ...{ dateStrings: ['DATE'], supportBigNumbers: true, bigNumberStrings: true, decimalNumbers: true },
      ...{ jsonStrings: true, namedPlaceholders: true, multipleStatements: true },
    }),
  }),
  'with rows as arrays, and Buffers as values': (url) => ({
    connection: connectionTo(url, { rowsAsArray: true, typeCast: false }),
    // With such rows, knex itself cannot ask for it.
    version: 'latest',
  }),
  'with its own cast, and names in camel case': (url) => ({
    connection: connectionTo(url, {
      typeCast(cell: Cell, next: () => unknown) {
        if (cell.type === 'TINY' && cell.length === 1) return cell.string() === '1'
        return cell.type.startsWith('DATE') ? new Date(cell.string() ?? 0).getTime() : next()
      },
    }),
    ...knexSnakeCaseMappers(),
  }),
}

function connectionTo(url: string, settings: object): Knex.StaticConnectionConfig {
  const { hostname, port, username, password, pathname } = new URL(url)
  const database = pathname.slice(1)
  return {
    host: hostname,
    port: Number(port || 3306),
    user: username,
    password: decodeURIComponent(password),
    database,
    ...settings,
  }
}
