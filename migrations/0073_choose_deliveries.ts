import { addColumns, dropColumns, type Migration } from './tools.js'

/** What a webhook asks for: which events, in which form, with which headers, and how many a minute. */
export const chooseDeliveries: Migration = {
  name: '0073_choose_deliveries',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('webhooks'), 'events')) return
    await addColumns(schema, 'webhooks', (table) => {
      table.strings('events')
      table.string('filter', 1024)
      table.ref('except_person_id')
      table.enum('content_type').notNullable().defaultTo('form')
      table.enum('payload').notNullable().defaultTo('reference')
      table.json('headers')
      table.integer('max_per_minute')
    })
  },

  async down(schema) {
    await dropColumns(
      schema,
      'webhooks',
      ...['events', 'filter', 'except_person_id', 'content_type', 'payload', 'headers', 'max_per_minute'],
    )
  },
}
