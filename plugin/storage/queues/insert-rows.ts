import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../../core/chunks.js'
import type { Storage } from '../database/connections.js'

/**
 * Stores rows in order, in the transaction `db`. All have the same columns, in the same order.
 *
 * @param table name without the prefix
 */
export async function insertRows(db: Knex, storage: Storage, table: string, rows: readonly object[]): Promise<void> {
  const name = storage.table(table)
  for (const some of chunksOf(rows, MAX_NARROW_ROWS)) {
    // The driver writes a list of lists as rows. Knex would write, and the driver look for, a placeholder for each value.
    const values: Knex.RawBinding[] = [name, Object.keys(some[0] ?? {}), some.map((row) => Object.values(row)) as never]
    await (storage.dialect === 'mysql' ? db.raw('insert into ?? (??) values ?', values) : db(name).insert([...some]))
  }
}

/** Limits a query to these ids. They are in its text: hundreds of placeholders would take longer than the statement. */
export function whereIds<Query extends Knex.QueryBuilder>(query: Query, ids: readonly number[]): Query {
  return query.whereRaw(`id in (${ids.map(Number).join()})`) as Query
}
