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
  /**
   * Checks that the database responds and that the tables fit the record types.
   *
   * @throws InvalidSetup with all differences and a migration draft
   */
  checkReady(): Promise<void>
}

/** Creates models, queries and writer of the record tables. Does no I/O. */
export function createTables({ storage, catalog, migrations }: TablesDeps): Tables {
  const models = createModels(storage, catalog)
  return {
    models,
    queries: createQueries(storage, catalog),
    writer: createWriter(storage, models),
    migrate: () => migrate(storage, migrations),
    async checkReady() {
      await storage.knex.raw('SELECT 1')
      const { differences, draft } = await storage.unhurried(async (patient) => {
        const pending = await pendingMigrations(patient, migrations)
        if (pending.length > 0) throw new InvalidSetup('Run migrate() first; these migrations are missing', pending)
        return checkTables(patient, catalog)
      })
      if (differences.length === 0) return
      const help = draft ? [`this migration adds what is missing:\n\n${draft}`] : []
      throw new InvalidSetup('The tables do not match the record types', [...differences, ...help])
    },
  }
}
