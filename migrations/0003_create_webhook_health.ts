import { createTable, dropTables, type Migration } from './tools.js'

/**
 * What event dispatch needs in addition to the outbox and the deliveries: which process works on what, and with what result.
 */
export const createWebhookHealth: Migration = {
  name: '0003_create_webhook_health',

  async up(schema) {
    // One row per webhook that has had a delivery. The process in claimed_by delivers for it until claimed_until.
    await createTable(schema, 'webhook_health', (table) => {
      table.number('webhook_id').notNullable()
      table.integer('failures').notNullable().defaultTo(0)
      table.moment('failing_since')
      table.moment('last_mail_at')
      table.exact('claimed_by')
      table.moment('claimed_until')
      table.primary('webhook_id')
    })
    // Work that one process does at a time: the lock on its row holds 'relay', claimed_until holds 'listeners'.
    await createTable(schema, 'gates', (table) => {
      table.exact('name').notNullable()
      table.moment('passed_at')
      table.exact('claimed_by')
      table.moment('claimed_until')
      table.primary('name')
    })
    // One row per function of the host and event that it has not got yet.
    await createTable(schema, 'listener_queue', (table) => {
      table.id()
      table.exact('listener', 160).notNullable()
      table.longText('event').notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.moment('next_at').notNullable()
      table.index('listener', 'next_at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'listener_queue', 'gates', 'webhook_health')
  },
}
