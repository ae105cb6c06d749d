import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/** One kind of lease for all work that one process does at a time. */
export const createLeases: Migration = {
  name: '0022_create_leases',

  async up(schema) {
    // The holder works until held_until. Released leases keep their row, so that taking one is one update.
    await createTable(schema, 'leases', (table) => {
      table.exact('kind', 20).notNullable()
      table.exact('name').notNullable()
      table.exact('holder').notNullable()
      table.moment('held_until').notNullable()
      table.number('beats').notNullable().defaultTo(0)
      table.primary('kind', 'name')
    })
    // The three former kinds of leases are free for the next process.
    await dropTables(schema, 'gates', 'webhook_receivers')
    const { knex, table } = schema
    if (await knex.schema.hasColumn(table('imports'), 'claimed_until')) await dropColumns(schema, 'imports', 'claimed_until')
  },

  async down(schema) {
    await createTable(schema, 'gates', (table) => {
      table.exact('name').notNullable()
      table.moment('passed_at')
      table.exact('claimed_by')
      table.moment('claimed_until')
      table.primary('name')
    })
    await createTable(schema, 'webhook_receivers', (table) => {
      table.exact('receiver').notNullable()
      table.exact('claimed_by').notNullable()
      table.moment('claimed_until').notNullable()
      table.primary('receiver')
    })
    await addColumns(schema, 'imports', (table) => void table.moment('claimed_until'))
    await dropTables(schema, 'leases')
  },
}
