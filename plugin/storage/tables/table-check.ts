/** Compares the tables with the catalog. Changes nothing: returns the differences and drafts a migration. */
import type { Catalog } from '../../schema/catalog.js'
import { SYSTEM_TABLES } from '../../schema/check/system-tables.js'
import { type ExpectedColumn, type ExpectedTable, sameColumns, tablesOf } from '../../schema/derive/expected-tables.js'
import type { Storage } from '../database/connections.js'
import { draftOf, type Missing } from './migration-draft.js'
import { isOfKeys } from './missing-keys.js'
import { type ActualColumn, type ActualTable, readTables } from './read-tables.js'

export interface TableCheck {
  /** One message per difference, by table; empty if the tables match. */
  readonly differences: readonly string[]
  /** Source text of a migration that creates what is missing; empty if a migration cannot create anything. */
  readonly draft: string
}

/**
 * Finds missing tables and columns, columns that cannot hold their field, and missing indexes: unique ones, and those that
 * timers and counts need. Additional columns are allowed, unless they require a value that no field sets. Two queries.
 */
export async function checkTables(storage: Storage, catalog: Catalog): Promise<TableCheck> {
  const expected = tablesOf(catalog)
  const names = [...SYSTEM_TABLES, ...expected.map((table) => table.name)]
  const actual = await readTables(
    storage,
    names.map((name) => storage.table(name)),
  )
  const lost = SYSTEM_TABLES.filter((name) => !actual.has(storage.table(name)))
  const differences = lost.map((name) => `${storage.table(name)}: the table is missing; run migrate()`)
  const missing: Missing[] = []
  for (const table of expected) {
    const found = actual.get(storage.table(table.name))
    if (!found) {
      differences.push(`${storage.table(table.name)}: the table is missing`)
      // migrate() adds the keys of texts and their indexes to whatever a migration makes.
      const own = (groups: ExpectedTable['unique']) => groups.filter((group) => !isOfKeys(table, group))
      const columns = table.columns.filter(({ name }) => !table.keys.has(name))
      missing.push({ table: { ...table, columns }, columns: 'all', unique: own(table.unique), indexes: own(table.indexes) })
      continue
    }
    const [sentences, lack] = compare(storage, table, found)
    differences.push(...sentences)
    if (lack.columns.length > 0 || lack.unique.length > 0 || lack.indexes.length > 0) missing.push(lack)
  }
  return { differences, draft: draftOf(missing) }
}

function compare(storage: Storage, table: ExpectedTable, found: ActualTable): [string[], Missing] {
  const sentences: string[] = []
  const report = (text: string) => sentences.push(`${storage.table(table.name)}${text}`)
  const absent = table.columns.filter((column) => !found.columns.has(column.name) && !table.keys.has(column.name))
  for (const column of absent) report(`.${column.name}: the column is missing (${nameOf(column)})`)
  for (const column of table.columns) {
    const actual = found.columns.get(column.name)
    const fault = actual && (storage.dialect === 'mysql' ? faultOf(column, actual) : faultOfAffinity(column, actual))
    if (fault) report(`.${column.name}: ${fault}`)
  }
  for (const column of found.columns.values()) {
    if (column.mustBeGiven && !table.columns.some((other) => other.name === column.name)) {
      report(`.${column.name}: the column must have a value and has no default, but no field fills it`)
    }
  }
  const hasUnique = (group: readonly string[]) => found.unique.some((other) => sameColumns(group, other))
  const isKeyed = ({ name }: ExpectedColumn) => !table.keys.has(name) || found.columns.has(name)
  const lacksKeys = !table.columns.every(isKeyed) || !table.unique.every((group) => !isOfKeys(table, group) || hasUnique(group))
  if (lacksKeys) report(': keys of texts are missing; run migrate(), which makes them')
  const unique = table.unique.filter((group) => !hasUnique(group) && !isOfKeys(table, group))
  for (const group of unique) report(`: a unique index on ${group.join(', ')} is missing`)
  const indexes = table.indexes.filter(
    (group) => !isOfKeys(table, group) && !found.indexes.some((other) => beginsWith(other, group)),
  )
  for (const group of indexes) report(`: an index on ${group.join(', ')} is missing, which timers or counts need`)
  return [sentences, { table, columns: absent, unique, indexes }]
}

/** True if the index covers these columns, with the same last column; those before it may be in any order. */
function beginsWith(index: readonly string[], group: readonly string[]): boolean {
  const last = group.length - 1
  return index[last] === group[last] && sameColumns(index.slice(0, last), group.slice(0, last))
}

function faultOf(column: ExpectedColumn, actual: ActualColumn): string | null {
  if (!column.types.includes(actual.type)) return `the column is ${actual.type}, but must be ${nameOf(column)}`
  if (actual.length !== null && actual.length < column.length) {
    return `the column holds ${actual.length} characters, but ${column.length} are needed`
  }
  return null
}

/** SQLite ignores lengths and mostly also types; only a number in a text column would sort and compare wrongly. */
function faultOfAffinity(column: ExpectedColumn, actual: ActualColumn): string | null {
  const isText = /char|clob|text/.test(actual.type)
  const isNumber = column.isNumber ?? false
  if (isText !== isNumber) return null
  return `the column is ${actual.type || 'without a type'}, but must be ${isNumber ? 'a number' : 'text'}`
}

function nameOf(column: ExpectedColumn): string {
  const [type] = column.types
  return type?.endsWith('char') ? `${type}(${column.length})` : String(type)
}
