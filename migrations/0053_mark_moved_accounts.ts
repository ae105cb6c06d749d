import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

const CHANGE = 'zone_change'

/** A mark for each change of the time zone of an account, until all records that count in it have been made due. */
export const markMovedAccounts: Migration = {
  name: '0053_mark_moved_accounts',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('accounts'), CHANGE)))
      await addColumns(schema, 'accounts', (table) => void table.exact(CHANGE, 16))
    await addIndex(schema, 'accounts', CHANGE)
  },

  async down(schema) {
    await dropIndex(schema, 'accounts', CHANGE)
    await dropColumns(schema, 'accounts', CHANGE)
  },
}
