/**
 * The tables that a catalog needs, as data. A definition never alters a table: this is what the tables are
 * compared with, and what a draft of a migration is written from.
 */
import { createHash } from 'node:crypto'
import type { Catalog, RecordField, RecordType } from '../compile/compile.js'
import type { FieldKind } from '../fields.js'
import { isElsewhere, type KindElsewhere } from '../kinds.js'

/** What a column holds; each has one method of the same name in `migrations/tools.ts`, apart from those in STRUCTURE. */
export type ColumnKind = Exclude<FieldKind, KindElsewhere> | 'datetimeOrWord' | 'id' | 'account' | 'ownerType' | 'ownerId'

export interface ExpectedColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** Characters that it must hold; 0 when the kind says everything. */
  readonly length: number
}

export interface ExpectedTable {
  /** Without the prefix. */
  readonly name: string
  readonly purpose: 'record' | 'part' | 'link'
  readonly columns: readonly ExpectedColumn[]
  /** Groups of columns that a unique index (or the primary key) covers. */
  readonly unique: readonly (readonly string[])[]
}

/** The tables that belong to no record type, without the prefix. */
export const SYSTEM_TABLES = [
  'accounts',
  'trusts',
  'permissions',
  'credentials',
  'outbox',
  'deliveries',
  'imports',
  'import_chunks',
  'import_log_lines',
  'webhook_health',
  'webhook_receivers',
  'gates',
  'leases',
  'listener_queue',
  'rate_limits',
  'files',
  'file_chunks',
] as const

/** Columns that every table of its purpose has, by building block and not by field. */
export const STRUCTURE: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['id', 'account', 'ownerType', 'ownerId'])

/** Length of names that we choose: account ids, type names, enumeration values. */
const NAME_LENGTH = 64

const LENGTHS: Partial<Record<ColumnKind, number>> = {
  enum: NAME_LENGTH,
  account: NAME_LENGTH,
  ownerType: NAME_LENGTH,
  timeOfDay: 5,
  localDatetime: 16,
  datetimeOrWord: 20,
  // spec, Data types: a text has at most 64 KB.
  text: 65_536,
  hash: 65_536,
  strings: 65_536,
}

/** Every table of record types, parts and links, each once, in catalog order. */
export function tablesOf(catalog: Catalog): readonly ExpectedTable[] {
  const tables = new Map<string, ExpectedTable>()
  const add = (table: ExpectedTable) => tables.set(table.name, merge(tables.get(table.name), table))
  for (const type of catalog.types.values()) {
    add(recordTable(type))
    for (const link of type.links.values()) {
      add({
        name: link.table,
        purpose: 'link',
        columns: [column(link.from, 'ref'), column(link.to, 'ref')],
        unique: [[link.from, link.to]],
      })
    }
  }
  return [...tables.values()]
}

/**
 * The name of the unique key over these columns of a table, the table's with its prefix: `itsm_people_account_id_name_unique`.
 * Longer names than MySQL allows (64 characters) are cut and stay distinct by a few digits of their hash.
 */
export function uniqueKeyName(table: string, columns: readonly string[]): string {
  return keyName(table, columns, 'unique')
}

/** The same for other indexes. */
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
  const structure = [
    column('id', 'id'),
    column('account_id', 'account'),
    ...(isPart ? [column('owner_type', 'ownerType'), column('owner_id', 'ownerId')] : []),
  ]
  const fields = [...type.columns].filter(([name]) => !structure.some((other) => other.name === name))
  const within = isPart ? ['owner_type', 'owner_id'] : ['account_id']
  return {
    name: type.table,
    purpose: isPart ? 'part' : 'record',
    columns: [...structure, ...fields.map(([name, field]) => column(name, kindOf(field), lengthOf(field)))],
    unique: type.unique.map((group) => [...within, ...group]),
  }
}

function kindOf(field: RecordField): ColumnKind {
  const { kind } = field
  if (isElsewhere(kind)) throw new Error(`The field '${field.name}' has no column of its own`)
  return kind === 'datetime' && field.keywords ? 'datetimeOrWord' : kind
}

/** Several texts of a length stand in one column of any length. */
function lengthOf({ kind, max }: RecordField): number | undefined {
  return kind === 'strings' ? undefined : max
}

function column(name: string, kind: ColumnKind, max?: number): ExpectedColumn {
  return { name, kind, length: max ?? LENGTHS[kind] ?? 0 }
}

/** Two relations may share a table, one from each side (the members of a team, the teams of a person). */
function merge(known: ExpectedTable | undefined, table: ExpectedTable): ExpectedTable {
  if (!known) return table
  const columns = table.columns.filter((one) => !known.columns.some((other) => other.name === one.name))
  const unique = table.unique.filter((group) => !known.unique.some((other) => sameColumns(group, other)))
  return { ...known, columns: [...known.columns, ...columns], unique: [...known.unique, ...unique] }
}

/** True when both groups are of the same columns, in whatever order. */
export function sameColumns(group: readonly string[], other: readonly string[]): boolean {
  return group.length === other.length && group.every((name) => other.includes(name))
}
