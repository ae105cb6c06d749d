import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

const CHANGE = 'value_change'

/** A mark for each change of a value of an account that records follow, until all of these have been made due. */
export const markChangedAccounts: Migration = {
  name: '0053_mark_changed_accounts',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('accounts'), CHANGE)))
      await addColumns(schema, 'accounts', (table) => void table.exact(CHANGE, 100))
    await addIndex(schema, 'accounts', CHANGE)
  },

  async down(schema) {
    await dropIndex(schema, 'accounts', CHANGE)
    await dropColumns(schema, 'accounts', CHANGE)
  },
}
