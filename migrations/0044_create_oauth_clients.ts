import { createTable, dropTables, type Migration } from './tools.js'

/** Programs that sign in as a person with an id and a secret of their own, and get tokens for it. */
export const createOauthClients: Migration = {
  name: '0044_create_oauth_clients',

  async up(schema) {
    await createTable(schema, 'oauth_clients', (table) => {
      table.id()
      table.exact('client_id', 64).notNullable()
      table.ref('person_id').notNullable()
      table.string('name', 128).notNullable()
      table.exact('secret_digest').notNullable()
      table.boolean('read_only').notNullable().defaultTo(false)
      // Names of record types; null for all of them.
      table.strings('record_types')
      table.moment('created_at').notNullable()
      table.moment('last_used_at')
      table.unique('client_id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'oauth_clients')
  },
}
