/** A pool of a host on the database of a spec, which it lends to the plugin. */
import knex, { type Knex } from 'knex'
import { embeddedDatabase } from '../../plugin/storage/embedded/index.js'

/** @param more settings of the host, such as its conversion of names */
export function hostPool(url: string, more: Knex.Config = {}): Knex {
  if (!url.startsWith('sqlite:')) return knex({ client: 'mysql2', connection: url, pool: { min: 0, max: 10 }, ...more })
  const pool = embeddedDatabase(url.slice('sqlite:'.length).replace(/^\/\//, ''))
  Object.assign(pool.client.config, more)
  return pool
}
