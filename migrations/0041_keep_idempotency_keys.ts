import { createTable, dropTables, type Migration } from './tools.js'

/** The POSTs of the last day that may be repeated: whose they are, what was sent, and how they were answered. */
export const keepIdempotencyKeys: Migration = {
  name: '0041_keep_idempotency_keys',

  async up(schema) {
    await createTable(schema, 'idempotency_keys', (table) => {
      table.id()
      table.exact('account_id').notNullable()
      table.number('person_id').notNullable()
      table.exact('digest').notNullable()
      table.exact('fingerprint').notNullable()
      table.exact('record_type')
      table.number('record_id')
      table.text('answer')
      table.moment('created_at').notNullable()
      table.unique('person_id', 'account_id', 'digest')
      table.index('created_at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'idempotency_keys')
  },
}
