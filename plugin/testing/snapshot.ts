/** Restores the rows of a test database, so that each case starts from the same records. */
import { tmpdir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import type { Plugin } from '../plugin.js'
import { type LentKnex, openStorage, type Storage } from '../storage/database/connections.js'
import type { Difference } from '../storage/database/statement-effect.js'
import { createArrayRunner } from '../storage/records/run-as-arrays.js'
import { hasHiddenWrites } from './hidden-writes.js'
import { noteWrites } from './noted-writes.js'

/** Options of `takeSnapshot`. */
export interface SnapshotOptions {
  /** The knex that was lent to the plugin, or another one on the same database. It is not closed. */
  readonly knex: LentKnex
  /** The `tablePrefix` of the options of the plugin. Default itsm_. */
  readonly tablePrefix?: string
  /** Plugins of this process on that database: a restore clears their caches. */
  readonly plugins?: readonly Pick<Plugin, 'forget'>[]
  /**
   * True if nothing but this pool writes to the database from `takeSnapshot` on. `restore` then looks only at the tables that it
   * has written, also on a server. An embedded database says itself whether others have written. All tables are looked at if some
   * have triggers or cascading keys, or after a statement that is not understood. Default false.
   */
  readonly onlyWriter?: boolean
  /**
   * Accepts databases that do not look like test databases, too. Restoring deletes rows that were added since. Default false.
   */
  readonly anyDatabase?: boolean
}

/** Rows of a test database that can be restored. */
export interface Snapshot {
  /**
   * Restores the rows of all tables. Looks only at tables that may have been written, and writes only rows that differ, so that
   * this is fast. Nothing else may write at the same time: stop the plugin first, or do not start it.
   */
  restore(): Promise<void>
}

/** Rows of a table, each in the order of the columns. */
export interface TableRows {
  readonly columns: readonly string[]
  readonly rows: readonly unknown[][]
}

/** Rows by the full name of the table. */
export type Rows = ReadonlyMap<string, TableRows>

/** Rows per `INSERT`: databases limit the number of values. */
const ROWS_PER_INSERT = 50
/** Required in the name of the database, or in the path of its file. */
const FOR_TESTS = /(^|[^a-z])(tests?|testing|specs?|ci)([^a-z]|$)/i

/**
 * Copies the rows of all tables of the plugin into memory. Does not include the tables that record migrations.
 *
 * @throws Error if the database does not look like a test database. Its name, or the path of its file, must contain `test`,
 * `testing`, `spec` or `ci` as a word. In memory, and in the folder for temporary files, any name will do
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { knex, tablePrefix, plugins = [], anyDatabase, onlyWriter = false } = options
  const storage = openStorage({ knex }, tablePrefix ?? 'itsm_')
  const writes = noteWrites(storage.knex)
  if (!anyDatabase) await checkForTests(storage)
  const kept = await readRows(storage, isOfRecords)
  // With them, a restore can tell which tables others have written.
  const prints = onlyWriter ? null : await fingerprints(storage, kept)
  // What the text of a statement does not tell.
  const writesMore = await hasHiddenWrites(storage)
  const look = async () => ({ moment: writes.now(), ofOthers: onlyWriter ? null : await changesOfOthers(storage) })
  let since = await look()

  /** The tables that may differ. */
  async function suspects(): Promise<ReadonlyMap<string, Difference>> {
    const isAlone = onlyWriter || (since.ofOthers !== null && since.ofOthers === (await changesOfOthers(storage)))
    const written = isAlone && !writesMore ? writes.since(since.moment) : null
    if (written !== null) return written
    const now = prints && (await fingerprints(storage, kept))
    const changed = [...kept.keys()].filter((table) => !now || now.get(table) !== prints.get(table))
    return new Map(changed.map((table) => [table, 'changed']))
  }

  return {
    async restore() {
      const tables = await suspects()
      if (tables.size > 0) {
        // In one transaction: a server then writes to its disk once, and not per table.
        await storage.knex.transaction(async (transaction) => {
          for (const [table, difference] of tables) {
            const rows = kept.get(table)
            if (rows) await putBack(transaction, storage, table, rows, difference)
          }
        })
      }
      since = await look()
      for (const plugin of plugins) plugin.forget()
    },
  }
}

/** Restores a table. If rows have ids, those that have not changed are not written. */
async function putBack(
  database: Knex.Transaction,
  storage: Storage,
  table: string,
  kept: TableRows,
  difference: Difference,
): Promise<void> {
  const key = kept.columns.indexOf('id')
  if (key < 0) {
    if (isDeepStrictEqual(await rowsIn(storage, table, kept.columns, database), kept.rows)) return
    await database(table).delete()
    return writeRows(database, new Map([[table, kept]]))
  }
  if (difference === 'added') {
    const before = new Set(kept.rows.map((row) => String(row[key])))
    const added = (await rowsIn(storage, table, ['id'], database)).map(([id]) => id).filter((id) => !before.has(String(id)))
    return remove(database, table, added)
  }
  const found = new Map((await rowsIn(storage, table, kept.columns, database)).map((row) => [String(row[key]), row]))
  const same = new Set<string>()
  for (const row of kept.rows) {
    const id = String(row[key])
    if (isDeepStrictEqual(found.get(id), row)) same.add(id)
  }
  const wrong = [...found].filter(([id]) => !same.has(id)).map(([, row]) => row[key])
  await remove(database, table, wrong)
  const missing = kept.rows.filter((row) => !same.has(String(row[key])))
  await writeRows(database, new Map([[table, { columns: kept.columns, rows: missing }]]))
}

async function remove(database: Knex.Transaction, table: string, ids: readonly unknown[]): Promise<void> {
  for (const some of chunksOf(ids as readonly number[], MAX_VALUES)) await database(table).whereIn('id', some).delete()
}

/** False for the tables that record migrations. */
export function isOfRecords(table: string): boolean {
  return !table.includes('migrations')
}

/**
 * Reads the tables that `isWanted` selects. Timestamps and large numbers are read as texts, so that they are restored exactly.
 */
export async function readRows(storage: Storage, isWanted: (table: string) => boolean): Promise<Rows> {
  const kept = new Map<string, TableRows>()
  for (const [table, columns] of await columnsByTable(storage)) {
    if (isWanted(table)) kept.set(table, { columns, rows: await rowsIn(storage, table, columns) })
  }
  return kept
}

/** Inserts rows, table by table. */
export async function writeRows(database: Knex, tables: Rows): Promise<void> {
  // The embedded database returns bytes as an ArrayBuffer, and does not take one.
  const stored = (value: unknown) => (value instanceof ArrayBuffer ? Buffer.from(value) : value)
  for (const [table, { columns, rows }] of tables) {
    const named = (row: readonly unknown[]) => Object.fromEntries(columns.map((name, index) => [name, stored(row[index])]))
    for (const some of chunksOf(rows, ROWS_PER_INSERT)) await database(table).insert(some.map(named))
  }
}

async function checkForTests({ knex, dialect }: Storage): Promise<void> {
  const asked = await knex.raw(dialect === 'mysql' ? 'select database() as name' : 'pragma database_list')
  const found: readonly { readonly name: string; readonly file?: string }[] = dialect === 'mysql' ? asked[0] : asked
  const [{ name, file } = { name: '' }] = found
  const place = dialect === 'mysql' ? name : (file ?? '')
  const isTemporary = dialect === 'sqlite' && (place === '' || place.startsWith(tmpdir()))
  if (isTemporary || FOR_TESTS.test(place)) return
  throw new Error(
    `The database '${place}' does not look like one for tests, and restoring a snapshot deletes rows. ` +
      "Put the word 'test' into its name, or set anyDatabase: true",
  )
}

/** The columns of all tables whose names start with the prefix. Generated columns are omitted: they cannot be inserted. */
async function columnsByTable({ knex, dialect, prefix }: Storage): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = await knex.raw(
    dialect === 'mysql'
      ? `select c.table_name as tableName, c.column_name as name
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = database() and t.table_type = 'BASE TABLE' and coalesce(c.generation_expression, '') = ''
         order by c.table_name, c.ordinal_position`
      : `select m.name as tableName, c.name as name from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' order by m.name, c.cid`,
  )
  const rows: readonly { readonly tableName: string; readonly name: string }[] = dialect === 'mysql' ? asked[0] : asked
  const columns = new Map<string, string[]>()
  for (const { tableName, name } of rows) {
    if (tableName.startsWith(prefix) && !tableName.startsWith('sqlite_'))
      columns.set(tableName, [...(columns.get(tableName) ?? []), name])
  }
  return columns
}

function rowsIn(
  storage: Storage,
  table: string,
  columns: readonly string[],
  database: Knex = storage.knex,
): Promise<readonly unknown[][]> {
  const { sql } = storage.knex(table).select(columns).toSQL()
  return createArrayRunner(storage)(database, { sql, bindings: [], isRepeated: false })
}

/**
 * A number that stays the same while no other connection commits; null for servers, which do not tell, and for pools with several
 * connections, each of which has a number of its own.
 */
async function changesOfOthers({ knex, dialect }: Storage): Promise<number | null> {
  if (dialect === 'mysql' || knex.client.pool.max !== 1) return null
  const [{ version }] = await knex.raw('select data_version as version from pragma_data_version')
  return version
}

/** Tables per statement. */
const TABLES_AT_ONCE = 100

/**
 * A text per table that differs if the rows differ. A server computes checksums, which is faster than sending the rows. SQLite
 * has no checksums, and runs in this process: there the text contains all rows.
 */
async function fingerprints({ knex, dialect }: Storage, tables: Rows): Promise<ReadonlyMap<string, string>> {
  const prints = new Map<string, string>()
  const names = [...tables.keys()]
  for (const some of chunksOf(names, TABLES_AT_ONCE)) {
    if (dialect === 'mysql') {
      const [sums] = await knex.raw(`checksum table ${some.map(() => '??').join(', ')}`, some)
      for (const [index, name] of some.entries()) prints.set(name, String(sums[index].Checksum))
    } else {
      const each = some.map((name) => {
        const row = (tables.get(name)?.columns ?? []).map((column) => `quote(${quoted(column)})`).join("||','||")
        return `select ${text(name)} as name, (select group_concat(${row}, ';') from ${quoted(name)}) as rows`
      })
      for (const { name, rows } of await knex.raw(each.join(' union all '))) prints.set(name, String(rows))
    }
  }
  return prints
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
