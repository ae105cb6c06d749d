/** The rows of our tables, to be put back: each topic of the fixtures starts from the same world. */
import type { Knex } from 'knex'
import type { Storage } from '../../plugin/storage/connections.js'

/** Rows by table. */
export type Rows = ReadonlyMap<string, readonly object[]>

export interface Snapshot {
  /** Puts the rows into a database with the same tables; those of other tables are removed. */
  restore(storage: Storage): Promise<void>
}

/** Rows of one insert; databases bound the number of values. */
const AT_ONCE = 20

/** Takes the rows of all tables but those in which migrations are remembered. */
export async function takeSnapshot(storage: Storage): Promise<Snapshot> {
  return snapshotOf(await rowsOf(storage, isOfRecords))
}

/** The same of rows that were read before. */
export function snapshotOf(rows: Rows): Snapshot {
  return {
    async restore(storage) {
      const tables = (await tablesOf(storage)).filter(isOfRecords)
      // In one transaction: a server writes to its disk once, and not for each table.
      await storage.knex.transaction(async (transaction) => {
        for (const table of tables) await transaction(table).delete()
        await writeRows(transaction, rows)
      })
    },
  }
}

/** The rows of the tables that are asked for. */
export async function rowsOf(storage: Storage, wanted: (table: string) => boolean): Promise<Rows> {
  const kept = new Map<string, readonly object[]>()
  for (const table of (await tablesOf(storage)).filter(wanted)) kept.set(table, await storage.knex(table))
  return kept
}

/** Adds rows, table by table. */
export async function writeRows(database: Knex, rows: Rows): Promise<void> {
  for (const [table, all] of rows) {
    for (let from = 0; from < all.length; from += AT_ONCE) await database(table).insert(all.slice(from, from + AT_ONCE))
  }
}

function isOfRecords(table: string): boolean {
  return !table.includes('migrations')
}

async function tablesOf({ knex, dialect, prefix }: Storage): Promise<readonly string[]> {
  const names: string[] =
    dialect === 'mysql'
      ? (await knex.raw('select table_name as name from information_schema.tables where table_schema = database()'))[0].map(
          (row: { name: string }) => row.name,
        )
      : await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  return names.filter((name) => name.startsWith(prefix))
}
