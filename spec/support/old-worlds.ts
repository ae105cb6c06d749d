/** Stored databases of older states, made by `make-old-world.ts`, and how they come into a database of today. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { migrations } from '../../migrations/index.js'
import type { Migration } from '../../migrations/tools.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { prepareTables } from '../../plugin/storage/tables/migrate.js'
import { type TableRows, writeRows } from '../../plugin/testing/snapshot.js'

/** The URL of a webhook that nobody answered. */
export const LISTENING = 'https://listening.example/old'

const FOLDER = 'spec/upgrades/worlds'
const END = '.json.br'

/** A database as an older state has left it. */
export interface OldWorld {
  /** Minor version, such as 0.4. */
  readonly version: string
  /** The commit whose code has filled the database. */
  readonly commit: string
  /** Names of the migrations that have run, in their order; that of the host's vehicles is the last. */
  readonly migrations: readonly string[]
  /** The statements of its tables and indexes on SQLite, in the order of their creation. */
  readonly statements: readonly string[]
  /** Rows by the full name of the table, those about migrations included. */
  readonly tables: Readonly<Record<string, TableRows>>
  readonly records: readonly OldRecord[]
  /** API tokens of the people who sign in, by their ids. */
  readonly tokens: Readonly<Record<string, string>>
}

/** A record as that state has shown it to the system. */
export interface OldRecord {
  readonly type: string
  readonly id: number
  readonly account: string
  /** Of a sub-record. */
  readonly owner?: { readonly type: string; readonly id: number }
  readonly shown: Readonly<Record<string, unknown>>
}

/** The versions of which there is a world, oldest first. */
export function oldVersions(): readonly string[] {
  const versions = readdirSync(FOLDER).map((file) => basename(file, END))
  return versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

export function readOldWorld(version: string): OldWorld {
  const text = brotliDecompressSync(readFileSync(fileOf(version))).toString()
  return JSON.parse(text, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data) : value))
}

export function writeOldWorld(world: OldWorld): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const text = JSON.stringify(world, (_, value) => (value instanceof ArrayBuffer ? Buffer.from(value).toJSON() : value))
  writeFileSync(fileOf(world.version), brotliCompressSync(text, { params }))
}

export function fileOf(version: string): string {
  return join(FOLDER, `${version}${END}`)
}

/** Creates the tables of an older state in an empty database, by its migrations as they are today. */
export async function makeTablesOf(
  { migrations: names }: OldWorld,
  storage: Storage,
  ofHost: readonly Migration[],
): Promise<void> {
  const all = new Map([...migrations, ...ofHost].map((migration) => [migration.name, migration]))
  const { knex, dialect, table } = storage
  await prepareTables(storage)
  for (const name of names) {
    const migration = all.get(name)
    if (!migration) throw new Error(`There is no migration ${name} any more`)
    await migration.up({ knex, dialect, table })
  }
}

/** Writes the rows of an older state into its tables. */
export async function writeRowsOf({ tables }: OldWorld, { knex, table }: Storage): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction(table('migrations_lock')).delete()
    await writeRows(transaction, new Map(Object.entries(tables)))
  })
}
