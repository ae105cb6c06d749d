import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../../core/chunks.js'
import type { Storage } from '../database/connections.js'
import { insertLists } from '../database/insert-lists.js'

/**
 * Stores rows in order, in the transaction `db`. All have the same columns, in the same order.
 *
 * @param table name without the prefix
 * @param size rows per statement
 */
export async function insertRows(
  db: Knex,
  storage: Storage,
  table: string,
  rows: readonly object[],
  size = MAX_NARROW_ROWS,
): Promise<void> {
  const name = storage.table(table)
  for (const some of chunksOf(rows, size)) {
    if (storage.dialect === 'sqlite') await db(name).insert([...some])
    else await insertLists(db, name, { columns: Object.keys(some[0] ?? {}), rows: some.map((row) => Object.values(row)) })
  }
}

/** Limits a query to these ids. They are in its text: hundreds of placeholders would take longer than the statement. */
export function whereIds<Query extends Knex.QueryBuilder>(query: Query, ids: readonly number[]): Query {
  return query.whereRaw(`id in (${ids.map(Number).join()})`) as Query
}
