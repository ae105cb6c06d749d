import { createTable, dropTables, type Migration } from './tools.js'

/** Mails to people about records wait here until the host has sent them. */
export const queueMails: Migration = {
  name: '0032_queue_mails',

  async up(schema) {
    await createTable(schema, 'mail_queue', (table) => {
      table.id()
      table.exact('account_id').notNullable()
      table.number('person_id').notNullable()
      table.exact('mail', 64).notNullable()
      table.longText('params').notNullable()
      table.moment('next_at').notNullable()
      table.number('attempts').notNullable().defaultTo(0)
      table.index('next_at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'mail_queue')
  },
}
