import { createTable, dropTables, type Migration, partTable } from './tools.js'

/** Files: uploads, their bytes, and the attachments that use them. */
export const createAttachments: Migration = {
  name: '0006_create_attachments',

  async up(schema) {
    // One row per file, from the beginning of its upload until its bytes are deleted.
    await createTable(schema, 'files', (table) => {
      table.id()
      // The key that clients use; empty once the file cannot be used any more.
      table.exact('key', 512)
      // The location in the store: letters, digits, hyphens and slashes.
      table.exact('location', 128).notNullable()
      // Holder of the bytes: database or host.
      table.exact('kept_by', 10).notNullable()
      table.exact('account_id').notNullable()
      table.number('person_id')
      table.string('name', 255).notNullable()
      table.exact('type', 127).notNullable()
      table.number('size').notNullable().defaultTo(0)
      table.exact('sha256')
      table.exact('state', 20).notNullable()
      // For pictures: the record that shows it.
      table.exact('record_type')
      table.number('record_id')
      table.moment('created_at').notNullable()
      table.unique('key')
      table.index('state', 'created_at')
      table.index('kept_by')
    })
    await createTable(schema, 'file_chunks', (table) => {
      table.exact('location', 128).notNullable()
      table.integer('position').notNullable()
      table.bytes('content').notNullable()
      table.primary('location', 'position')
    })
    await partTable(schema, 'attachments', (table) => {
      table.exact('key', 512)
      table.string('name', 255)
      table.integer('size')
      table.boolean('inline')
      table.enum('field')
      table.datetime('created_at')
      table.index('key')
    })
  },

  async down(schema) {
    await dropTables(schema, 'attachments', 'file_chunks', 'files')
  },
}
