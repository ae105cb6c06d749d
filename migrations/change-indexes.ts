/** A building block of migrations, like those in `tools.ts`: its effect must not change once it is released. */
import { indexName } from '../plugin/schema/derive/expected-tables.js'
import { hasIndex, type MigrationTools } from './tools.js'

/** Indexes of a table to add and to remove, each by its columns. */
export interface IndexChanges {
  readonly add?: readonly (readonly string[])[]
  readonly drop?: readonly (readonly string[])[]
}

/**
 * Adds and removes indexes of a table. Servers read the table once for all of them, and go on reading and writing it meanwhile.
 * What an interrupted migration has already done is skipped.
 */
export async function changeIndexes(schema: MigrationTools, name: string, changes: IndexChanges): Promise<void> {
  const { dialect, knex } = schema
  const table = schema.table(name)
  const parts: string[] = []
  for (const columns of changes.add ?? []) {
    const index = indexName(table, columns)
    if (await hasIndex(schema, table, index)) continue
    const list = columns.map((column) => `\`${column}\``).join(', ')
    if (dialect === 'mysql') parts.push(`add index \`${index}\` (${list})`)
    else await knex.raw(`create index \`${index}\` on \`${table}\` (${list})`)
  }
  for (const columns of changes.drop ?? []) {
    const index = indexName(table, columns)
    if (!(await hasIndex(schema, table, index))) continue
    if (dialect === 'mysql') parts.push(`drop index \`${index}\``)
    else await knex.raw(`drop index \`${index}\``)
  }
  if (parts.length > 0) await knex.raw(`alter table \`${table}\` ${parts.join(', ')}`)
}
