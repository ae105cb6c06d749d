/** The rows of all our tables, to be put back: each topic of the fixtures starts from the same world. */
import type { Storage } from '../../plugin/storage/connections.js'

export interface Snapshot {
  /** Puts the rows into a database with the same tables; those of other tables are removed. */
  restore(storage: Storage): Promise<void>
}

/** Rows of one insert; databases bound the number of values. */
const AT_ONCE = 20

export async function takeSnapshot(storage: Storage): Promise<Snapshot> {
  const kept = new Map<string, readonly object[]>()
  for (const table of await tablesOf(storage)) kept.set(table, await storage.knex(table))
  return {
    async restore(other) {
      const tables = await tablesOf(other)
      // In one transaction: a server writes to its disk once, and not for each table.
      await other.knex.transaction(async (transaction) => {
        for (const table of tables) {
          await transaction(table).delete()
          const rows = kept.get(table) ?? []
          for (let from = 0; from < rows.length; from += AT_ONCE)
            await transaction(table).insert(rows.slice(from, from + AT_ONCE))
        }
      })
    },
  }
}

/** All tables but those in which migrations are remembered. */
async function tablesOf({ knex, dialect, prefix }: Storage): Promise<readonly string[]> {
  const names: string[] =
    dialect === 'mysql'
      ? (await knex.raw('select table_name as name from information_schema.tables where table_schema = database()'))[0].map(
          (row: { name: string }) => row.name,
        )
      : await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  return names.filter((name) => name.startsWith(prefix) && !name.includes('migrations'))
}
