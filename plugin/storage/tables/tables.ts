import type { Migration } from '../../../migrations/tools.js'
import { InvalidSetup } from '../../core/errors.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Storage } from '../database/connections.js'
import { createModels, type Models } from '../records/models.js'
import { createQueries, type Queries } from '../records/query.js'
import { createWriter, type Writer } from '../records/write.js'
import { migrate, pendingMigrations } from './migrate.js'
import { checkTables } from './table-check.js'

/** Dependencies of the tables. */
export interface TablesDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  /** Migrations of the host; they run after ours. */
  readonly migrations: readonly Migration[]
}

/** Access to the tables of the record types: reading, writing, migrating. */
export interface Tables {
  readonly models: Models
  readonly queries: Queries
  readonly writer: Writer
  /** Migrates the tables. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /** Names of the migrations that have not run, those of the host included. */
  pendingMigrations(): Promise<readonly string[]>
  /** Compares the tables with the record types; see `Plugin.check`. */
  check(): Promise<SetupCheck>
  /**
   * Checks that the database responds and that the tables fit the record types.
   *
   * @throws InvalidSetup with all differences and a migration draft
   */
  checkReady(): Promise<void>
}

/** What a check of the tables has found. Nothing was changed. */
export interface SetupCheck {
  /** The names of the migrations that have not run, in order. As long as there are any, tables are not compared. */
  readonly migrations: readonly string[]
  /** One sentence per difference between the tables and the record types; empty if they match. */
  readonly differences: readonly string[]
  /** Source text of a migration that adds what is missing; empty if there is nothing to add. */
  readonly draft: string
}

/** Creates models, queries and writer of the record tables. Does no I/O. */
export function createTables({ storage, catalog, migrations }: TablesDeps): Tables {
  const models = createModels(storage, catalog)
  const check = async (): Promise<SetupCheck> => {
    await storage.knex.raw('SELECT 1')
    return storage.unhurried(async (patient) => {
      const pending = await pendingMigrations(patient, migrations)
      if (pending.length > 0) return { migrations: pending, differences: [], draft: '' }
      return { migrations: [], ...(await checkTables(patient, catalog)) }
    })
  }
  return {
    models,
    queries: createQueries(storage, catalog),
    writer: createWriter(storage),
    migrate: () => migrate(storage, migrations, catalog),
    pendingMigrations: () => pendingMigrations(storage, migrations),
    check,
    async checkReady() {
      mustMatch(await check())
    },
  }
}

/** @throws InvalidSetup with all differences and a migration draft */
export function mustMatch({ differences, draft, migrations: pending }: SetupCheck): void {
  if (pending.length > 0) throw new InvalidSetup('Run migrate() first; these migrations are missing', pending)
  if (differences.length === 0) return
  const help = draft ? [`this migration adds what is missing:\n\n${draft}`] : []
  throw new InvalidSetup('The tables do not match the record types', [...differences, ...help])
}
