import { createTable, dropTables, type Migration } from './tools.js'

/** Exports, and the files that they write. */
export const createExports: Migration = {
  name: '0063_create_exports',

  async up(schema) {
    await createTable(schema, 'exports', (table) => {
      table.id()
      table.exact('token').notNullable()
      table.exact('account_id').notNullable()
      table.number('person_id').notNullable()
      table.exact('language', 20).notNullable()
      // Names of import types.
      table.strings('types').notNullable()
      // Those that the token of the caller opens; null for all.
      table.strings('record_types')
      table.moment('since')
      table.exact('state', 20).notNullable()
      // How far it has come: the number of the type, the last record, its rows, and the next chunk of its file.
      table.integer('type_number').notNullable().defaultTo(0)
      table.number('last_id').notNullable().defaultTo(0)
      table.integer('line').notNullable().defaultTo(0)
      table.integer('position').notNullable().defaultTo(0)
      table.integer('stalled_runs').notNullable().defaultTo(0)
      table.text('message')
      table.moment('created_at').notNullable()
      table.moment('finished_at')
      table.unique('token')
      table.index('account_id', 'state')
      table.index('state')
      table.index('finished_at')
    })
    await createTable(schema, 'export_chunks', (table) => {
      table.number('export_id').notNullable()
      table.integer('type_number').notNullable()
      table.integer('position').notNullable()
      table.bytes('content').notNullable()
      table.primary('export_id', 'type_number', 'position')
    })
  },

  async down(schema) {
    await dropTables(schema, 'export_chunks', 'exports')
  },
}
