import { createTable, dropTables, type Migration } from './tools.js'

/** Sessions of people in browsers. Each ends when it is not used, and a day after it began. */
export const createSessions: Migration = {
  name: '0077_create_sessions',

  async up(schema) {
    await createTable(schema, 'sessions', (table) => {
      table.id()
      table.ref('person_id').notNullable()
      table.exact('digest').notNullable()
      table.moment('created_at').notNullable()
      table.moment('last_used_at').notNullable()
      table.unique('digest')
      table.index('created_at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'sessions')
  },
}
