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
    return found && !hasKeys(table, found) ? [keyedTable(table, found)] : []
  })
}

/** True for an index over a key of texts. */
export function isOfKeys({ keys }: Pick<ExpectedTable, 'keys'>, group: readonly string[]): boolean {
  return group.some((column) => keys.has(column))
}

function hasKeys(table: ExpectedTable, { columns, indexes, unique }: ActualTable): boolean {
  const { indexes: others, keys, unique: groups } = keyedTable(table, { columns })
  const has = (known: ActualTable['indexes'], group: readonly string[]) => known.some((one) => sameColumns(one, group))
  return (
    [...keys.keys()].every((key) => columns.has(key)) &&
    groups.every((group) => has(unique, group)) &&
    others.every((group) => has(indexes, group))
  )
}

/** What the table can have: columns that a host has not added yet are reported by the check of the tables. */
function keyedTable(table: ExpectedTable, { columns }: Pick<ActualTable, 'columns'>): KeyedTable {
  const keys = new Map([...table.keys].filter(([, { of }]) => of.every((column) => columns.has(column))))
  const isPossible = (group: readonly string[]) =>
    isOfKeys(table, group) && group.every((column) => keys.has(column) || columns.has(column))
  return { name: table.name, keys, unique: table.unique.filter(isPossible), indexes: table.indexes.filter(isPossible) }
}
