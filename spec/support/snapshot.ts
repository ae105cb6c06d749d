/** The rows of all our tables, to be put back: each topic of the fixtures starts from the same world. */
import type { Storage } from '../../plugin/storage/connections.js'

export interface Snapshot {
  restore(): Promise<void>
}

/** Rows of one insert; databases bound the number of values. */
const AT_ONCE = 20

export async function takeSnapshot({ knex, dialect, prefix }: Storage): Promise<Snapshot> {
  const names: string[] =
    dialect === 'mysql'
      ? (await knex.raw('select table_name as name from information_schema.tables where table_schema = database()'))[0].map(
          (row: { name: string }) => row.name,
        )
      : await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  const tables = names.filter((name) => name.startsWith(prefix) && !name.includes('migrations'))
  const kept = new Map<string, readonly object[]>()
  for (const table of tables) kept.set(table, await knex(table))
  return {
    async restore() {
      for (const [table, rows] of kept) {
        await knex(table).delete()
        for (let from = 0; from < rows.length; from += AT_ONCE) await knex(table).insert(rows.slice(from, from + AT_ONCE))
      }
    },
  }
}
