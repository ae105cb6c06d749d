/** A database for the specs of one block, on the store that the environment names. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { after, before } from 'mocha'
import { migrations } from '../../migrations/index.js'
import { openStorage, type Storage } from '../../plugin/storage/database/connections.js'
import { migrate } from '../../plugin/storage/tables/migrate.js'
import type { World } from '../../plugin/testing/index.js'
import { hostPool } from './host-pool.js'
import { copyTables, readTemplate, writeTemplate } from './template.js'

export interface TestDatabase {
  /**
   * The pool to lend to a plugin. On a server that is one as the README makes it, with the settings of the driver, and `storage`
   * is lent it, too: so all that the specs show is shown on such a pool.
   */
  readonly lent: Knex
  /** Only set while specs run, not while they are described. The same holds for the others. */
  readonly storage: Storage
  readonly knex: Knex
  /** For another pool on the same database. Not possible in memory: use `{ file: true }`. */
  readonly url: string
}

export interface TestDatabaseOptions {
  /** False leaves the database empty. */
  readonly migrated?: boolean
  /** True stores an embedded database in a file and not in memory, so that several connections can use it. */
  readonly file?: boolean
}

/** The store of this run: `server` when MYSQL_URL names one, unless KOA_ITSM_TEST_STORE says `embedded`. */
export function testStore(): 'server' | 'embedded' {
  return process.env['MYSQL_URL'] && process.env['KOA_ITSM_TEST_STORE'] !== 'embedded' ? 'server' : 'embedded'
}

/**
 * True where another pass of the run tries everything on its database: what no database decides is shown there, and of fields of
 * one kind, which have the same columns and statements, one is tried here.
 */
export function isAgain(): boolean {
  return process.env['KOA_ITSM_TEST_PASS'] === 'again'
}

/**
 * Provides a fresh database with our tables for the calling block (in `describe`): created before its first spec, dropped after
 * its last.
 */
export function withDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  let made: Made | null = null
  before('makes a database', async function () {
    // A server creates a hundred tables one after the other.
    this.timeout(120_000)
    const isMigrated = options.migrated !== false
    if (testStore() === 'server') made = isMigrated ? await takeMigrated() : await makeOnServer()
    else {
      made = makeEmbedded(options.file ?? false)
      if (isMigrated) await makeTables(made.storage)
    }
  })
  after('drops the database', async () => {
    await made?.drop()
    made = null
  })
  const current = (): Made => {
    if (!made) throw new Error('The database exists only while the specs of the block run')
    return made
  }
  return {
    get storage() {
      return current().storage
    },
    get knex() {
      return current().storage.knex
    },
    get lent() {
      return current().lent
    },
    get url() {
      return current().url
    },
  }
}

interface Made {
  readonly storage: Storage
  readonly lent: Knex
  readonly url: string
  drop(): Promise<void>
}

/** Creates the template of this run in a database that is dropped at the end. */
export async function makeTemplate(file: string, load: (storage: Storage) => Promise<World>): Promise<void> {
  const made = testStore() === 'server' ? await makeOnServer() : makeEmbedded(false)
  try {
    await writeTemplate(file, made.storage, load)
  } finally {
    await made.drop()
  }
}

/** Copies the tables of the template; without one, migrates. */
async function makeTables(storage: Storage): Promise<void> {
  const template = readTemplate()
  await (template ? copyTables(template, storage) : migrate(storage))
}

/** Migrated databases that are not in use: a server needs seconds to create a hundred tables, but not to empty them. */
const spare: string[] = []
/** The tables of a migrated database, to detect one that a spec has changed. */
let usualTables = ''

/** Drops the databases that are kept for the next block. A server that was lent to the specs is not stopped. */
export async function dropSpareDatabases(): Promise<void> {
  for (const name of spare.splice(0)) await openOnServer(name).drop()
}

/** A migrated database without rows: a spare one, or a new one. It is returned if it still looks like a new one. */
async function takeMigrated(): Promise<Made> {
  const name = spare.pop()
  if (name === undefined) {
    const made = await makeOnServer()
    await makeTables(made.storage)
    usualTables = await tablesOf(made.storage)
    return { ...made, drop: () => giveBack(made) }
  }
  const made = openOnServer(name)
  return { ...made, drop: () => giveBack(made) }
}

async function giveBack(made: Made & { readonly name: string }): Promise<void> {
  const { knex } = made.storage
  const tables = (await knex.raw('show tables'))[0].map((row: object) => String(Object.values(row)[0])) as string[]
  const ours = tables.filter((table) => table.startsWith('itsm_') && usualTables.includes(`\n${table}.`))
  for (const table of tables.filter((one) => !ours.includes(one))) await knex.raw('drop table ??', [table])
  if ((await tablesOf(made.storage)) !== usualTables) return made.drop()
  const used: string[] = []
  await knex.transaction(async (transaction) => {
    for (const table of await withRows(knex, ours)) {
      if (!table.includes('migrations') && (await transaction(table).delete()) > 0) used.push(table)
    }
    const names = migrations.map(({ name }) => name)
    await transaction(made.storage.table('migrations')).whereNotIn('name', names).delete()
  })
  // Ids begin at 1 again, as in a database that was created for the block.
  for (const table of used) await knex.raw('alter table ?? auto_increment = 1', [table])
  await made.lent.destroy()
  spare.push(made.name)
}

/** Those of the tables that are not empty: one statement costs less than deleting from a hundred empty tables. */
async function withRows(knex: Knex, tables: readonly string[]): Promise<readonly string[]> {
  const each = tables.map(() => '(select ? as name from ?? limit 1)')
  const [found] = await knex.raw(
    each.join(' union all '),
    tables.flatMap((table) => [table, table]),
  )
  return found.map(({ name }: { readonly name: string }) => name)
}

/** Every column of every table, one line each. */
async function tablesOf({ knex }: Storage): Promise<string> {
  const columns = await knex('information_schema.columns')
    .whereRaw('table_schema = database()')
    .select({ table: 'table_name', name: 'column_name', type: 'column_type', key: 'column_key' })
    .orderBy(['table_name', 'column_name'])
  return columns.map(({ table, name, type, key }) => `\n${table}.${name} ${type} ${key}`).join('')
}

async function makeOnServer(): Promise<Made & { readonly name: string }> {
  const url = new URL(process.env['MYSQL_URL'] ?? '')
  // The name of the run shows which databases are left over after a process has died.
  const name = `itsm_test_${process.env['KOA_ITSM_TEST_RUN'] ?? ''}${randomBytes(6).toString('hex')}`
  url.pathname = ''
  const server = openStorage({ url: url.href, pool: { max: 1 } }, '')
  try {
    // Hosts may have another default: our tables set themselves what they need.
    await server.knex.raw('create database ?? character set utf8mb4 collate utf8mb4_general_ci', [name])
  } finally {
    await server.close()
  }
  return openOnServer(name)
}

function openOnServer(name: string): Made & { readonly name: string } {
  const url = new URL(process.env['MYSQL_URL'] ?? '')
  url.pathname = `/${name}`
  const lent = hostPool(url.href)
  const storage = openStorage({ knex: lent }, 'itsm_')
  return {
    name,
    storage,
    lent,
    url: url.href,
    drop: async () => {
      await storage.knex.raw('drop database ??', [name])
      await lent.destroy()
    },
  }
}

function makeEmbedded(inFile: boolean): Made {
  const folder = inFile ? mkdtempSync(join(tmpdir(), 'itsm-')) : null
  const url = folder ? `sqlite:${join(folder, 'itsm.db')}` : 'sqlite::memory:'
  const storage = openStorage({ url }, 'itsm_')
  return {
    storage,
    lent: storage.knex,
    url,
    drop: async () => {
      await storage.close()
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}
