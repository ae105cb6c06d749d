import { addColumns, dropColumns, type Migration } from './tools.js'

const COLUMN = 'time_entries_locked_until'

/** Date up to which the time entries of an account can only be corrected: `2026-10-31`. */
export const lockTimeEntries: Migration = {
  name: '0018_lock_time_entries',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('accounts'), COLUMN)) return
    await addColumns(schema, 'accounts', (table) => void table.exact(COLUMN, 10))
  },

  async down(schema) {
    await dropColumns(schema, 'accounts', COLUMN)
  },
}
