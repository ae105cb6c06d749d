import { createTable, dropTables, type Migration } from './tools.js'

/** Receivers of webhooks that get nothing before a time. */
export const pauseReceivers: Migration = {
  name: '0071_pause_receivers',

  async up(schema) {
    await createTable(schema, 'receiver_pauses', (table) => {
      table.exact('receiver', 64).notNullable()
      table.moment('paused_until').notNullable()
      table.primary('receiver')
      table.index('paused_until')
    })
  },

  async down(schema) {
    await dropTables(schema, 'receiver_pauses')
  },
}
