import { createTable, dropTables, type Migration } from './tools.js'

/** Accounts and access, the outbox, deliveries to webhooks, imports: all tables but those of records. */
export const createSystemTables: Migration = {
  name: '0001_create_system_tables',

  async up(schema) {
    await createTable(schema, 'accounts', (table) => {
      table.exact('id').notNullable()
      table.string('name', 255).notNullable()
      table.exact('locale', 20).notNullable()
      table.exact('time_zone').notNullable()
      table.number('organization_id')
      table.exact('directory_account_id')
      table.datetime('created_at').notNullable()
      table.primary('id')
      table.index('directory_account_id')
    })
    await createTable(schema, 'trusts', (table) => {
      table.exact('account_id').notNullable()
      table.exact('trusted_account_id').notNullable()
      table.primary('account_id', 'trusted_account_id')
    })
    await createTable(schema, 'permissions', (table) => {
      table.number('person_id').notNullable()
      table.exact('account_id').notNullable()
      table.exact('role').notNullable()
      table.primary('person_id', 'account_id', 'role')
      table.index('account_id', 'role')
    })
    await createTable(schema, 'credentials', (table) => {
      table.number('person_id').notNullable()
      table.exact('password_hash', 255)
      table.exact('token_digest')
      table.exact('token_sealed', 512)
      table.moment('updated_at').notNullable()
      table.primary('person_id')
      table.unique('token_digest')
    })
    await createTable(schema, 'outbox', (table) => {
      table.id()
      table.exact('event', 128).notNullable()
      table.exact('record_type').notNullable()
      table.number('record_id').notNullable()
      table.exact('account_id').notNullable()
      table.number('person_id')
      table.string('person_name', 255)
      table.number('audit_line_id')
      table.longText('snapshot').notNullable()
      table.moment('created_at').notNullable()
    })
    await createTable(schema, 'deliveries', (table) => {
      table.id()
      table.number('webhook_id').notNullable()
      table.exact('account_id').notNullable()
      table.exact('event', 128).notNullable()
      table.number('object_id')
      table.text('body').notNullable()
      table.text('link')
      table.integer('attempts').notNullable().defaultTo(0)
      table.moment('next_at').notNullable()
      table.string('last_error', 255)
      table.moment('dropped_at')
      table.moment('created_at').notNullable()
      // Deliveries are due if they are not dropped and their time has come.
      table.index('dropped_at', 'next_at')
      table.index('webhook_id', 'dropped_at', 'next_at')
    })
    await createTable(schema, 'imports', (table) => {
      table.id()
      table.exact('token').notNullable()
      table.exact('account_id').notNullable()
      table.number('person_id')
      table.exact('language', 20).notNullable()
      table.exact('type').notNullable()
      table.string('file_name', 255)
      table.exact('state', 20).notNullable()
      table.integer('line').notNullable().defaultTo(0)
      table.text('results')
      table.text('message')
      table.string('log_name', 255)
      table.moment('created_at').notNullable()
      table.moment('started_at')
      table.moment('finished_at')
      table.exact('claimed_by')
      table.moment('claimed_until')
      table.unique('token')
      table.index('state', 'created_at')
      table.index('account_id', 'state')
    })
    await createTable(schema, 'import_chunks', (table) => {
      table.number('import_id').notNullable()
      table.integer('position').notNullable()
      table.bytes('content').notNullable()
      table.primary('import_id', 'position')
    })
    await createTable(schema, 'import_log_lines', (table) => {
      table.id()
      table.number('import_id').notNullable()
      table.moment('at').notNullable()
      table.exact('level', 10).notNullable()
      table.integer('line')
      table.text('text').notNullable()
      table.index('import_id', 'id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_log_lines', 'import_chunks', 'imports', 'deliveries', 'outbox')
    await dropTables(schema, 'credentials', 'permissions', 'trusts', 'accounts')
  },
}
