/**
 * The tables that a catalog needs, as data. Definitions never alter a table: the table check compares the tables with this, and
 * drafts of migrations are written from it.
 */
import { createHash } from 'node:crypto'
import { KEY_LENGTH } from '../../core/text/identity.js'
import type { Catalog, RecordType, TextKey } from '../catalog.js'
import { keyedColumns } from '../compile/compile-keys.js'
import type { ColumnForm } from '../kinds/kind.js'
import { columnOf } from '../kinds/kinds.js'

export interface ExpectedColumn extends ColumnForm {
  readonly name: string
}

export interface ExpectedTable {
  /** Without the prefix. */
  readonly name: string
  readonly purpose: 'record' | 'part' | 'link'
  readonly columns: readonly ExpectedColumn[]
  /** Groups of columns that a unique index (or the primary key) covers. */
  readonly unique: readonly (readonly string[])[]
  /** Columns that an index begins with, in this order; used by timers and counts. */
  readonly indexes: readonly (readonly string[])[]
  /** Keys of texts, by column; `migrate` makes them, and the indexes over them. */
  readonly keys: ReadonlyMap<string, TextKey>
}

/** Length of names that the host or the plugin chooses: account ids, type names. */
const NAME_LENGTH = 64

/** Columns that every table of its purpose has, in addition to those of fields. */
const STRUCTURE = {
  id: { method: 'id', types: ['bigint', 'int'], length: 0, isNumber: true },
  account_id: { method: 'exact', types: ['varchar', 'char'], length: NAME_LENGTH },
  owner_type: { method: 'exact', types: ['varchar', 'char'], length: NAME_LENGTH },
  owner_id: { method: 'number', types: ['bigint', 'int'], length: 0, isNumber: true },
} as const satisfies { readonly [name: string]: ColumnForm }

/** A key of texts: letters of ASCII, always as many. */
const KEY: ColumnForm = { method: 'exact', types: ['varchar', 'char'], length: KEY_LENGTH, isSized: true }

/** The columns of a table of pairs. */
const LINKED: ColumnForm = { method: 'ref', types: ['bigint', 'int'], length: 0, isNumber: true }

/** True for columns that every table of its purpose has. */
export function isStructure({ name }: ExpectedColumn): boolean {
  return Object.hasOwn(STRUCTURE, name)
}

/** All tables of record types, sub-records and links, each once, in catalog order. */
export function tablesOf(catalog: Catalog): readonly ExpectedTable[] {
  const tables = new Map<string, ExpectedTable>()
  const add = (table: ExpectedTable) => tables.set(table.name, merge(tables.get(table.name), table))
  for (const type of catalog.types.values()) {
    add(recordTable(type))
    for (const link of type.links.values()) {
      add({
        name: link.table,
        purpose: 'link',
        columns: [link.from, link.to].map((name) => ({ name, ...LINKED })),
        unique: [[link.from, link.to]],
        indexes: [],
        keys: new Map(),
      })
    }
  }
  return [...tables.values()]
}

/**
 * The name of the unique key over these columns of a table (with its prefix): `itsm_people_account_id_name_unique`. Names
 * longer than MySQL allows (64 characters) are cut and made unique by a few digits of their hash.
 */
export function uniqueKeyName(table: string, columns: readonly string[]): string {
  return keyName(table, columns, 'unique')
}

/** The name of another index over these columns of a table. */
export function indexName(table: string, columns: readonly string[]): string {
  return keyName(table, columns, 'index')
}

function keyName(table: string, columns: readonly string[], ending: string): string {
  const name = [table, ...columns, ending].join('_')
  if (name.length <= 64) return name
  return `${name.slice(0, 55)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`
}

function recordTable(type: RecordType): ExpectedTable {
  const isPart = type.partOf.length > 0
  const names = ['id', 'account_id', ...(isPart ? (['owner_type', 'owner_id'] as const) : [])] as const
  const structure: readonly ExpectedColumn[] = names.map((name) => ({ name, ...STRUCTURE[name] }))
  const fields = [...type.columns].filter(([name]) => !structure.some((other) => other.name === name))
  const within = isPart ? ['owner_type', 'owner_id'] : ['account_id']
  const unique = type.unique.map((group) => [...within, ...keyedColumns(type.keys, group)])
  const keys = [...type.keys.keys()].map((key) => [...within, key])
  return {
    name: type.table,
    purpose: isPart ? 'part' : 'record',
    columns: [
      ...structure,
      ...fields.map(([name, field]) => ({ name, ...columnOf(field).form(field) })),
      ...[...type.keys.keys()].map((name) => ({ name, ...KEY })),
    ],
    unique,
    // A key that is unique has its index.
    indexes: [...indexesOf(type), ...keys.filter((key) => !unique.some((group) => sameColumns(group, key)))],
    keys: type.keys,
  }
}

/** The columns by which timers find their records, and by which records are counted, each group once. */
function indexesOf(type: RecordType): ExpectedTable['indexes'] {
  const counted = [...type.collection.countable].flatMap((name) => type.fields.get(name)?.column ?? [])
  const all = [...type.timers.map(({ index }) => index), ...counted.map((column) => ['account_id', column])]
  const groups = new Map(all.map((index) => [index.join(), index]))
  return [...groups.values()]
}

/** Merges the tables of two relations that share one, from each side (the members of a team, the teams of a person). */
function merge(known: ExpectedTable | undefined, table: ExpectedTable): ExpectedTable {
  if (!known) return table
  const columns = table.columns.filter((one) => !known.columns.some((other) => other.name === one.name))
  const unique = table.unique.filter((group) => !known.unique.some((other) => sameColumns(group, other)))
  const indexes = [...known.indexes, ...table.indexes]
  const keys = new Map([...known.keys, ...table.keys])
  return { ...known, columns: [...known.columns, ...columns], unique: [...known.unique, ...unique], indexes, keys }
}

/** True if both groups have the same columns, in any order. */
export function sameColumns(group: readonly string[], other: readonly string[]): boolean {
  return group.length === other.length && group.every((name) => other.includes(name))
}
