import { dropTables, type Migration, recordTable } from './tools.js'

/** Views: parameters of lists that people keep. */
export const createViews: Migration = {
  name: '0076_create_views',

  async up(schema) {
    await recordTable(schema, 'views', (table) => {
      table.string('name', 128)
      table.string('record_type', 64)
      table.string('query', 2_000)
      table.ref('person_id')
      table.ref('team_id')
      table.datetime('created_at')
      table.datetime('updated_at')
      table.index('account_id', 'name')
    })
  },

  async down(schema) {
    await dropTables(schema, 'views')
  },
}
