import { createTable, dropTables, type Migration } from './tools.js'

/** Counters of calls, for hosts with several processes; the columns are those of rate-limiter-flexible. */
export const createRateLimits: Migration = {
  name: '0004_create_rate_limits',

  async up(schema) {
    await createTable(schema, 'rate_limits', (table) => {
      table.exact('key', 255).notNullable()
      table.integer('points').notNullable().defaultTo(0)
      table.number('expire')
      table.primary('key')
      table.index('expire')
    })
  },

  async down(schema) {
    await dropTables(schema, 'rate_limits')
  },
}
