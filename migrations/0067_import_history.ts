import { addColumns, dropColumns, type Migration } from './tools.js'

/** Imports whose new records come with their past. */
export const importHistory: Migration = {
  name: '0067_import_history',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('imports'), 'history')) return
    await addColumns(schema, 'imports', (table) => {
      table.boolean('history').notNullable().defaultTo(false)
    })
  },

  async down(schema) {
    await dropColumns(schema, 'imports', 'history')
  },
}
