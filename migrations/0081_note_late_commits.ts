import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/** Transactions that were committed long after the times which they have stored, and the time at which an export began to read. */
export const noteLateCommits: Migration = {
  name: '0081_note_late_commits',

  async up(schema) {
    await createTable(schema, 'late_commits', (table) => {
      table.id()
      // The first time that the transaction has stored, and the time just before its commit.
      table.moment('oldest').notNullable()
      table.moment('committed_at').notNullable()
      table.index('committed_at')
    })
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('exports'), 'next_from')))
      await addColumns(schema, 'exports', (table) => table.moment('next_from'))
  },

  async down(schema) {
    await dropColumns(schema, 'exports', 'next_from')
    await dropTables(schema, 'late_commits')
  },
}
