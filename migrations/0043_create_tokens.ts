import { createTable, dropTables, type Migration } from './tools.js'

/** Further tokens of people, beside the one API token in the credentials: several, with limits and an end. */
export const createTokens: Migration = {
  name: '0043_create_tokens',

  async up(schema) {
    await createTable(schema, 'tokens', (table) => {
      table.id()
      table.exact('kind', 20).notNullable()
      table.ref('person_id').notNullable()
      // The client that got the token; null for tokens that people made.
      table.ref('client_id')
      table.string('name', 128).notNullable()
      table.exact('digest').notNullable()
      table.boolean('read_only').notNullable().defaultTo(false)
      // Names of record types; null for all of them.
      table.strings('record_types')
      table.moment('created_at').notNullable()
      table.moment('expires_at')
      table.moment('last_used_at')
      table.unique('digest')
      table.index('expires_at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'tokens')
  },
}
