import type { Knex } from 'knex'
import type { Instant } from '../../core/clock.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { encode } from '../../schema/derive/columns.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Storage } from '../database/connections.js'
import { quote } from './joins.js'
import { Statement } from './statement.js'

/** Sets a timestamp in all records that meet a criterion on their own columns: one statement, whatever their number. */
export async function stampWhere(
  { storage, catalog }: { readonly storage: Storage; readonly catalog: Catalog },
  db: Knex,
  { type, where }: { readonly type: RecordType; readonly where: Criterion },
  column: string,
  time: Instant,
): Promise<void> {
  const statement = new Statement(storage, catalog, type)
  const condition = statement.condition(where)
  const sql = `UPDATE ${quote(storage.table(type.table))} AS t SET ${quote(column)} = ? WHERE ${condition}`
  const bindings = statement.bindings.filter((value) => typeof value !== 'object' || value === null)
  await db.raw(sql, [encode(columnOf({ kind: 'datetime' }), time), ...bindings])
}
