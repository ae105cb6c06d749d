/** Finds tables without the keys of texts that their record types need (behaviour: Identity). */
import type { KeyedTable } from '../../../migrations/text-keys.js'
import type { Catalog } from '../../schema/catalog.js'
import { type ExpectedTable, sameColumns, tablesOf } from '../../schema/derive/expected-tables.js'
import type { Storage } from '../database/connections.js'
import { type ActualTable, readTables } from './read-tables.js'

/** The tables that exist, but have not all of their keys, with the indexes over these. Two queries. */
export async function tablesWithoutKeys(storage: Storage, catalog: Catalog): Promise<readonly KeyedTable[]> {
  const expected = tablesOf(catalog).filter(({ keys }) => keys.size > 0)
  const actual = await readTables(
    storage,
    expected.map(({ name }) => storage.table(name)),
  )
  return expected.flatMap((table) => {
    const found = actual.get(storage.table(table.name))
    return found && !hasKeys(table, found) ? [keyedTable(table)] : []
  })
}

/** True for an index over a key of texts. */
export function isOfKeys({ keys }: Pick<ExpectedTable, 'keys'>, group: readonly string[]): boolean {
  return group.some((column) => keys.has(column))
}

function hasKeys(table: ExpectedTable, { columns, indexes, unique }: ActualTable): boolean {
  const { indexes: others, unique: groups } = keyedTable(table)
  const has = (known: ActualTable['indexes'], group: readonly string[]) => known.some((one) => sameColumns(one, group))
  return (
    [...table.keys.keys()].every((key) => columns.has(key)) &&
    groups.every((group) => has(unique, group)) &&
    others.every((group) => has(indexes, group))
  )
}

function keyedTable(table: ExpectedTable): KeyedTable {
  const { indexes, keys, name, unique } = table
  const ofKeys = (group: readonly string[]) => isOfKeys(table, group)
  return { name, keys, unique: unique.filter(ofKeys), indexes: indexes.filter(ofKeys) }
}
