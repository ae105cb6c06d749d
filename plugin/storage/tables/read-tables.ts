/** Reads the tables of the database: two queries, however many tables. */
import type { Storage } from '../database/connections.js'

export interface ActualColumn {
  readonly name: string
  /** In lower case, without length: `varchar`. */
  readonly type: string
  /** Characters that it holds; null if not limited. */
  readonly length: number | null
  /** True if an insert without a value fails. */
  readonly mustBeGiven: boolean
}

export interface ActualTable {
  readonly columns: ReadonlyMap<string, ActualColumn>
  /** The columns of each unique index and of the primary key. */
  readonly unique: readonly (readonly string[])[]
  /** The columns of every index, in their order. */
  readonly indexes: readonly (readonly string[])[]
}

interface ColumnRow {
  tableName: string
  name: string
  type: string
  length: number | string | null
  mustBeGiven: number | string
}

interface IndexRow {
  tableName: string
  name: string
  columnName: string
  isUnique: number | string
}

/** The existing tables with these full names, by name. */
export async function readTables(storage: Storage, names: readonly string[]): Promise<ReadonlyMap<string, ActualTable>> {
  const { columns, indexes } = storage.dialect === 'mysql' ? await readMysql(storage, names) : await readSqlite(storage, names)
  const tables = new Map<string, { columns: Map<string, ActualColumn>; unique: string[][]; indexes: string[][] }>()
  for (const { tableName, name, type, length, mustBeGiven } of columns) {
    const table = tables.get(tableName) ?? { columns: new Map(), unique: [], indexes: [] }
    tables.set(tableName, table)
    table.columns.set(name, {
      name,
      type: type.toLowerCase().split('(', 1)[0] ?? '',
      length: length === null ? null : Number(length),
      mustBeGiven: Number(mustBeGiven) === 1,
    })
  }
  const groups = new Map<string, string[]>()
  for (const { tableName, name, columnName, isUnique } of indexes) {
    const group = groups.get(`${tableName} ${name}`)
    if (group) {
      group.push(columnName)
      continue
    }
    const first = [columnName]
    groups.set(`${tableName} ${name}`, first)
    tables.get(tableName)?.indexes.push(first)
    if (Number(isUnique) === 1) tables.get(tableName)?.unique.push(first)
  }
  return tables
}

async function readMysql({ knex }: Storage, names: readonly string[]): Promise<{ columns: ColumnRow[]; indexes: IndexRow[] }> {
  const [columns] = await knex.raw(
    `select table_name as tableName, column_name as name, data_type as type, character_maximum_length as length,
       is_nullable = 'NO' and column_default is null and extra not like '%auto_increment%' and extra not like '%generated%'
         as mustBeGiven
     from information_schema.columns where table_schema = database() and table_name in (?) order by ordinal_position`,
    [[...names]],
  )
  const [indexes] = await knex.raw(
    `select table_name as tableName, index_name as name, column_name as columnName, non_unique = 0 as isUnique
     from information_schema.statistics where table_schema = database() and table_name in (?)
     order by table_name, index_name, seq_in_index`,
    [[...names]],
  )
  return { columns, indexes }
}

async function readSqlite({ knex }: Storage, names: readonly string[]): Promise<{ columns: ColumnRow[]; indexes: IndexRow[] }> {
  const places = names.map(() => '?').join(', ')
  const columns = await knex.raw(
    `select m.name as tableName, c.name as name, c.type as type, null as length,
       (c."notnull" = 1 and c.dflt_value is null and c.pk = 0) as mustBeGiven
     from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name in (${places})`,
    [...names],
  )
  const indexes = await knex.raw(
    `select m.name as tableName, i.name as name, c.name as columnName, i."unique" as isUnique
     from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
     where m.type = 'table' and m.name in (${places})`,
    [...names],
  )
  return { columns, indexes }
}
