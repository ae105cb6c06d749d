import { createTable, dropTables, type Migration } from './tools.js'

/**
 * Events after the outbox: one message each, its deliveries to webhooks, listeners, people and other targets, and their attempts.
 * The tables from before (`deliveries`, `listener_queue`, `mail_queue`) stay for processes of the version before, which may run
 * beside; what they leave is carried over.
 */
export const keepMessages: Migration = {
  name: '0072_keep_messages',

  async up(schema) {
    await createTable(schema, 'messages', (table) => {
      // Counts without gaps. The relay gives each message the next number.
      table.number('sequence').notNullable()
      table.number('event_id').notNullable()
      table.exact('event', 128).notNullable()
      table.exact('record_type').notNullable()
      table.number('record_id').notNullable()
      table.exact('account_id').notNullable()
      table.number('person_id')
      table.string('person_name', 255)
      table.number('audit_line_id')
      // The record as of then: what the outbox has, and the names of team and member.
      table.longText('snapshot').notNullable()
      table.moment('created_at').notNullable()
      table.primary('sequence')
      table.index('account_id', 'sequence')
      table.index('record_type', 'record_id')
      table.index('created_at')
    })
    await createTable(schema, 'channel_deliveries', (table) => {
      table.id()
      table.exact('channel', 32).notNullable()
      table.exact('target', 160).notNullable()
      table.exact('account_id').notNullable()
      // One process at a time sends what is in a lane; deliveries of one key go one after the other.
      table.exact('lane').notNullable()
      table.exact('ordered_by', 192).notNullable()
      // Null for mails, and for what a process of the version before has queued: then content has everything.
      table.number('message')
      table.exact('event', 128)
      table.number('object_id')
      table.longText('content')
      table.integer('attempts').notNullable().defaultTo(0)
      table.exact('state', 10).notNullable()
      table.moment('next_at').notNullable()
      table.string('last_error', 255)
      table.moment('finished_at')
      table.moment('created_at').notNullable()
      table.index('channel', 'lane', 'state', 'next_at')
      table.index('channel', 'target', 'state')
      table.index('message')
      table.index('state', 'finished_at')
    })
    await createTable(schema, 'delivery_attempts', (table) => {
      table.id()
      table.number('delivery_id').notNullable()
      table.exact('channel', 32).notNullable()
      table.exact('target', 160).notNullable()
      table.moment('at').notNullable()
      table.integer('milliseconds').notNullable()
      table.integer('status')
      table.string('reason', 255)
      table.text('answer')
      table.index('delivery_id')
      table.index('channel', 'target', 'at')
    })
  },

  async down(schema) {
    await dropTables(schema, 'delivery_attempts', 'channel_deliveries', 'messages')
  },
}
