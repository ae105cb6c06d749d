/**
 * A building block of migrations, like those in `tools.ts`: gives tables the keys by which records are found and are unique
 * (behaviour: Identity). A repetition goes on where one was interrupted, and changes nothing that is done.
 */
import { indexName, uniqueKeyName } from '../plugin/schema/derive/expected-tables.js'
import { clashesIn } from './clashing-texts.js'
import { columnsOn } from './columns.js'
import { fillKeys } from './fill-keys.js'
import type { MigrationTools } from './tools.js'

/** A table with keys of texts. */
export interface KeyedTable {
  /** Without the prefix. */
  readonly name: string
  /** The columns of which each key is made, by its column. */
  readonly keys: ReadonlyMap<string, TextsOfKey>
  /** Unique indexes with keys. */
  readonly unique: readonly (readonly string[])[]
  /** Other indexes with keys. */
  readonly indexes: readonly (readonly string[])[]
}

export interface TextsOfKey {
  readonly of: readonly string[]
  readonly form: 'folded' | 'exact'
}

/** Characters of a key. */
const LENGTH = 32

/**
 * Adds the columns, fills them, and puts indexes over them in the place of unique indexes over the texts.
 *
 * @throws Error if records become one by their keys, with a list of them; then nothing was changed
 */
export async function addTextKeys(schema: MigrationTools, tables: readonly KeyedTable[]): Promise<void> {
  const existing: KeyedTable[] = []
  for (const table of tables) if (await schema.knex.schema.hasTable(schema.table(table.name))) existing.push(table)
  const clashes: string[] = []
  for (const table of existing) {
    const known = await indexesOf(schema, schema.table(table.name))
    const open = table.unique.filter((group) => !known.has(uniqueKeyName(schema.table(table.name), group)))
    for (const group of open) clashes.push(...(await clashesIn(schema, table, group)))
  }
  if (clashes.length > 0)
    throw new Error(
      'These records have texts that name the same, whatever the case or form of their letters, and must be unique. Rename or ' +
        `merge them, then migrate again; nothing was changed:\n  ${clashes.join('\n  ')}`,
    )
  for (const table of existing) {
    await addColumns(schema, table)
    await fillKeys(schema, table)
    await replaceIndexes(schema, table)
  }
}

/** Takes it back: unique indexes are over the texts again. */
export async function dropTextKeys(schema: MigrationTools, tables: readonly KeyedTable[]): Promise<void> {
  const { knex } = schema
  for (const { indexes, keys, name, unique } of tables) {
    const table = schema.table(name)
    if (!(await knex.schema.hasTable(table))) continue
    const known = await indexesOf(schema, table)
    const drop = [
      ...unique.map((group) => uniqueKeyName(table, group)),
      ...indexes.map((group) => indexName(table, group)),
      ...unique.map((group) => indexName(table, textsOf(keys, group))),
    ].filter((index) => known.has(index))
    for (const index of drop) await dropIndexOf(schema, table, index)
    for (const group of unique.map((one) => textsOf(keys, one))) {
      const index = uniqueKeyName(table, group)
      if (!known.has(index))
        await knex.schema.alterTable(table, (builder) => void builder.unique([...group], { indexName: index }))
    }
    const columns: string[] = []
    for (const key of keys.keys()) if (await knex.schema.hasColumn(table, key)) columns.push(key)
    if (columns.length > 0) await knex.schema.alterTable(table, (builder) => void builder.dropColumns(...columns))
  }
}

/** The columns of a unique group without keys: the texts themselves. */
export function textsOf(keys: KeyedTable['keys'], group: readonly string[]): readonly string[] {
  return group.flatMap((column) => keys.get(column)?.of ?? [column])
}

async function addColumns(schema: MigrationTools, { keys, name }: KeyedTable): Promise<void> {
  const table = schema.table(name)
  const known = await schema.knex(table).columnInfo()
  const missing = [...keys.keys()].filter((key) => !(key in known))
  if (missing.length === 0) return
  await schema.knex.schema.alterTable(table, (builder) => {
    for (const key of missing) columnsOn(schema, table, builder).exact(key, LENGTH)
  })
}

async function replaceIndexes(schema: MigrationTools, { indexes, keys, name, unique }: KeyedTable): Promise<void> {
  const table = schema.table(name)
  const known = await indexesOf(schema, table)
  const add = (kind: string, index: string, columns: readonly string[]) =>
    known.has(index) ? [] : [{ kind, index, columns: columns.map((column) => `\`${column}\``).join(', ') }]
  const added = [
    ...unique.flatMap((group) => add('unique index', uniqueKeyName(table, group), group)),
    ...indexes.flatMap((group) => add('index', indexName(table, group), group)),
    // Lists are sorted by the texts.
    ...unique.map((group) => textsOf(keys, group)).flatMap((texts) => add('index', indexName(table, texts), texts)),
  ]
  const replaced = unique.map((group) => textsOf(keys, group).toSorted().join())
  const dropped = [...known].filter(([, { columns, isUnique }]) => isUnique && replaced.includes(columns.toSorted().join()))
  if (schema.dialect === 'mysql') {
    const parts = [
      ...added.map(({ kind, index, columns }) => `add ${kind} \`${index}\` (${columns})`),
      ...dropped.map(([index]) => `drop index \`${index}\``),
    ]
    if (parts.length > 0) await schema.knex.raw(`alter table \`${table}\` ${parts.join(', ')}`)
    return
  }
  for (const { kind, index, columns } of added)
    await schema.knex.raw(`create ${kind} \`${index}\` on \`${table}\` (${columns})`)
  for (const [index] of dropped) await dropIndexOf(schema, table, index)
}

async function dropIndexOf({ dialect, knex }: MigrationTools, table: string, index: string): Promise<void> {
  await knex.raw(dialect === 'mysql' ? `alter table \`${table}\` drop index \`${index}\`` : `drop index \`${index}\``)
}

interface KnownIndex {
  readonly columns: readonly string[]
  readonly isUnique: boolean
}

/** The indexes of a table that can be dropped, by name. */
async function indexesOf({ dialect, knex }: MigrationTools, table: string): Promise<ReadonlyMap<string, KnownIndex>> {
  const rows: { name: string; column: string; isUnique: number | string }[] =
    dialect === 'mysql'
      ? (
          await knex.raw(
            `select index_name as name, column_name as \`column\`, non_unique = 0 as isUnique from information_schema.statistics
             where table_schema = database() and table_name = ? and index_name <> 'PRIMARY' order by index_name, seq_in_index`,
            [table],
          )
        )[0]
      : await knex.raw(
          `select i.name as name, c.name as "column", i."unique" as isUnique
           from pragma_index_list(?) i join pragma_index_info(i.name) c where i.origin = 'c' order by i.name, c.seqno`,
          [table],
        )
  const known = new Map<string, KnownIndex>()
  for (const { column, isUnique, name } of rows)
    known.set(name, { columns: [...(known.get(name)?.columns ?? []), column], isUnique: Number(isUnique) === 1 })
  return known
}
