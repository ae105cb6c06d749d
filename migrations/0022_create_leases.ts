import { createTable, dropTables, type Migration } from './tools.js'

/** One kind of lease for all work that one process does at a time. */
export const createLeases: Migration = {
  name: '0022_create_leases',

  async up(schema) {
    // The holder works until the time that the row says. Rows stay when they are given back, so that taking one is one update.
    await createTable(schema, 'leases', (table) => {
      table.exact('kind', 20).notNullable()
      table.exact('name').notNullable()
      table.exact('holder').notNullable()
      table.moment('held_until').notNullable()
      table.number('beats').notNullable().defaultTo(0)
      table.primary('kind', 'name')
    })
  },

  async down(schema) {
    await dropTables(schema, 'leases')
  },
}
