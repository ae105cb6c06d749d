/** Migrates the tables. Runs only when the host calls it. */
import type { Knex } from 'knex'
import { migrations } from '../../../migrations/index.js'
import { addTextKeys } from '../../../migrations/text-keys.js'
import type { Migration, MigrationTools } from '../../../migrations/tools.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Storage } from '../database/connections.js'
import { tablesWithoutKeys } from './missing-keys.js'

/** Seconds to wait for another process that is migrating the same tables. */
const WAIT_FOR = 120

/**
 * Runs the migrations that have not run on this database. Processes that start at the same time do so one after the other, so
 * that each migration runs once. If a migration fails on MySQL, the tables that it created remain, and a repetition continues.
 *
 * @param more migrations of the host for its own record types; they run after ours, and are recorded in the same table
 * @param catalog the record types: tables of a host get the keys by which their records are found, whatever its migrations say
 * @returns the names of the migrations that were run, in order
 * @throws Error if another process does not finish within two minutes, or if the database has a migration that is not known here:
 * then a newer version has run it, or a host with other migrations
 */
export async function migrate(storage: Storage, more: readonly Migration[] = [], catalog?: Catalog): Promise<string[]> {
  return storage.unhurried((storage) =>
    alone(storage, async () => {
      await prepareTables(storage)
      await refuseUnknown(storage, [...migrations, ...more])
      const [, run] = await storage.knex.migrate.latest({
        tableName: storage.table('migrations'),
        migrationSource: sourceOf(storage, [...migrations, ...more]),
        // On MySQL each DDL statement commits, so a transaction would have no effect.
        disableTransactions: storage.dialect === 'mysql',
      })
      if (catalog) await keyTables(storage, catalog)
      return run as string[]
    }),
  )
}

/** Returns the names of the migrations that have not run, in order. Changes nothing. */
export async function pendingMigrations(storage: Storage, more: readonly Migration[] = []): Promise<string[]> {
  const table = storage.table('migrations')
  const known = (await storage.knex.schema.hasTable(table)) ? await storage.knex(table).pluck('name') : []
  return [...migrations, ...more].map((migration) => migration.name).filter((name) => !known.includes(name))
}

/** @throws Error if the database has migrations that are not among these */
async function refuseUnknown(storage: Storage, all: readonly Migration[]): Promise<void> {
  const names = new Set(all.map((migration) => migration.name))
  const unknown = (await storage.knex(storage.table('migrations')).orderBy('id').pluck('name')).filter(
    (name) => !names.has(name),
  )
  if (unknown.length === 0) return
  throw new Error(
    `The database has migrations that are not known here: ${unknown.join(', ')}. A newer version has run them, or a host with ` +
      'migrations of its own',
  )
}

function toolsOf({ dialect, table }: Storage, database: Knex): MigrationTools {
  return { knex: database, dialect, table }
}

/** Gives tables of the host their keys. On MySQL each statement that changes a table commits, so a transaction would have no effect. */
async function keyTables(storage: Storage, catalog: Catalog): Promise<void> {
  const tables = await tablesWithoutKeys(storage, catalog)
  if (tables.length === 0) return
  if (storage.dialect === 'mysql') await addTextKeys(toolsOf(storage, storage.knex), tables)
  else await storage.knex.transaction((transaction) => addTextKeys(toolsOf(storage, transaction), tables))
}

function sourceOf(storage: Storage, all: readonly Migration[]): Knex.MigrationSource<Migration> {
  const tools = (database: Knex) => toolsOf(storage, database)
  return {
    getMigrations: async () => [...all],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => ({
      up: (database) => migration.up(tools(database)),
      down: (database) => migration.down(tools(database)),
    }),
  }
}

/**
 * Creates knex's two tables. Knex itself would not expect other processes that do the same, and its lock stays locked when a
 * process dies. On MySQL the plugin uses a lock of the server, which ends with its connection.
 */
export async function prepareTables(storage: Storage): Promise<void> {
  const { knex } = storage
  const [table, lock] = [storage.table('migrations'), storage.table('migrations_lock')]
  if (storage.dialect === 'mysql') {
    const of = 'engine = InnoDB character set utf8mb4 collate utf8mb4_unicode_520_ci'
    const id = 'int unsigned not null auto_increment primary key'
    await knex.raw(
      `create table if not exists ?? (id ${id}, name varchar(255), batch int, migration_time timestamp null) ${of}`,
      [table],
    )
    await knex.raw(`create table if not exists ?? (\`index\` ${id}, is_locked int) ${of}`, [lock])
    await knex.raw('insert into ?? (`index`, is_locked) values (1, 0) on duplicate key update is_locked = 0', [lock])
    return
  }
  const id = 'integer not null primary key autoincrement'
  await knex.raw(`create table if not exists ?? (id ${id}, name varchar(255), batch integer, migration_time datetime)`, [table])
  await knex.raw(`create table if not exists ?? (\`index\` ${id}, is_locked integer)`, [lock])
  await knex.raw('insert or ignore into ?? (`index`, is_locked) values (1, 0)', [lock])
}

/**
 * Does the work while no other process does it. SQLite needs no lock: it migrates in one transaction, which excludes others.
 */
async function alone<T>(storage: Storage, work: () => Promise<T>): Promise<T> {
  if (storage.dialect === 'sqlite') return work()
  const { client } = storage.knex
  if (client.pool?.max < 2) throw new Error('Migrating needs a pool of at least two connections')
  const connection = await client.acquireConnection()
  const ask = async (sql: string, values: (string | number)[]): Promise<unknown> => {
    const [rows] = await storage.knex.raw(`select ${sql} as answer`, values).connection(connection)
    return rows[0]?.answer
  }
  // The names of locks are shared by all databases of a server.
  const name = "right(concat(database(), '.', ?), 64)"
  const own = storage.table('migrate')
  try {
    if ((await ask(`get_lock(${name}, ?)`, [own, WAIT_FOR])) !== 1) {
      throw new Error('Another process has been migrating for two minutes; it may hang')
    }
    try {
      return await work()
    } finally {
      await ask(`release_lock(${name})`, [own])
    }
  } finally {
    await client.releaseConnection(connection)
  }
}
