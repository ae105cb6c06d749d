import { addColumns, dropColumns, type Migration } from './tools.js'

/** Secrets of webhooks, sealed, and the ones before. */
export const signDeliveries: Migration = {
  name: '0069_sign_deliveries',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('webhooks'), 'secret')) return
    await addColumns(schema, 'webhooks', (table) => {
      table.exact('secret', 255)
      table.boolean('signed').notNullable().defaultTo(false)
      table.exact('previous_secret', 255)
      table.datetime('previous_secret_until')
    })
  },

  async down(schema) {
    await dropColumns(schema, 'webhooks', 'secret', 'signed', 'previous_secret', 'previous_secret_until')
  },
}
