/**
 * A migrated database and the world of the fixtures, created once per run and copied for each block of specs: migrating takes a
 * server seconds, and so does loading the world. The runner names the file in KOA_ITSM_TEST_TEMPLATE; without it, as when mocha
 * is called directly, every process creates its own.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { migrate } from '../../plugin/storage/tables/migrate.js'
import type { World } from '../../plugin/testing/index.js'
import { isOfRecords, type Rows, readRows, writeRows } from '../../plugin/testing/snapshot.js'

export interface Template {
  /** Statements that create all tables and their indexes. */
  readonly statements: readonly string[]
  /** The rows that migrations insert. */
  readonly migrated: Rows
  readonly world: StoredWorld
}

/** A loaded world: its names, and its rows. */
export interface StoredWorld {
  readonly ids: ReadonlyMap<string, number>
  readonly tokens: ReadonlyMap<string, string>
  readonly rows: Rows
}

let known: Template | null = null

/** The template of this run; null without one. */
export function readTemplate(): Template | null {
  const file = process.env['KOA_ITSM_TEST_TEMPLATE']
  if (!file || !existsSync(file)) return null
  known ??= deserialize(readFileSync(file)) as Template
  return known
}

/** Migrates an empty database, loads the world into it and keeps both in the file. */
export async function writeTemplate(file: string, storage: Storage, load: (storage: Storage) => Promise<World>): Promise<void> {
  await migrate(storage)
  const statements = await statementsOf(storage)
  const migrated = await readRows(storage, (table) => !isOfRecords(table))
  const world = await load(storage)
  const template: Template = { statements, migrated, world: await storedWorld(storage, world) }
  writeFileSync(file, serialize(template))
}

/** The data with which another process can use this world. */
async function storedWorld(storage: Storage, world: World): Promise<StoredWorld> {
  const signsIn = (name: string) => {
    const { password, roles } = world.record(name)
    return password !== undefined || roles !== undefined
  }
  return {
    ids: new Map(world.names.map((name) => [name, world.id(name)])),
    tokens: new Map(world.names.filter(signsIn).map((name) => [name, world.token(name)])),
    rows: await readRows(storage, isOfRecords),
  }
}

/** Creates the tables of the template in an empty database, as if it had been migrated. */
export async function copyTables(template: Template, storage: Storage): Promise<void> {
  if (storage.dialect === 'sqlite') await createAtOnce(template, storage)
  await storage.knex.transaction(async (transaction) => {
    if (storage.dialect === 'mysql') for (const statement of template.statements) await transaction.raw(statement)
    await writeRows(transaction, template.migrated)
  })
}

/** The part of a connection to the embedded database that runs several statements: one by one, each waits for a turn of the loop. */
interface EmbeddedConnection {
  exec(statements: string): void
}

async function createAtOnce({ statements }: Template, { knex }: Storage): Promise<void> {
  const connection: EmbeddedConnection = await knex.client.acquireConnection()
  try {
    connection.exec(['begin', ...statements, 'commit'].join(';\n'))
  } finally {
    await knex.client.releaseConnection(connection)
  }
}

export async function statementsOf({ knex, dialect }: Storage): Promise<readonly string[]> {
  if (dialect === 'sqlite') {
    const made = knex('sqlite_master').whereNotNull('sql').whereNot('name', 'like', 'sqlite_%')
    return (await made.orderBy('rowid').pluck('sql')) as string[]
  }
  const tables = (await knex.raw('show tables'))[0].map((row: object) => String(Object.values(row)[0])) as string[]
  const statements: string[] = []
  for (const table of tables) {
    const [[made]] = await knex.raw('show create table ??', [table])
    statements.push(made['Create Table'])
  }
  return statements
}
