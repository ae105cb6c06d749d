import { addColumns, type Columns, dropColumns, type Migration } from './tools.js'

type Add = (table: Columns) => void

const SETTINGS: Readonly<Record<string, Add>> = {
  plan: (table) => void table.string('plan', 64).notNullable().defaultTo('standard'),
  currency: (table) => void table.exact('currency', 3).notNullable().defaultTo('USD'),
  time_format_24h: (table) => void table.boolean('time_format_24h').notNullable().defaultTo(true),
  strong_privacy: (table) => void table.boolean('strong_privacy').notNullable().defaultTo(false),
}

/** Settings of an account in addition to its name, language and time zone. */
export const addAccountSettings: Migration = {
  name: '0008_add_account_settings',

  async up(schema) {
    for (const [column, add] of Object.entries(SETTINGS)) {
      // One by one, and only what is missing: on MySQL a migration that failed is not rolled back.
      if (await schema.knex.schema.hasColumn(schema.table('accounts'), column)) continue
      await addColumns(schema, 'accounts', add)
    }
  },

  async down(schema) {
    await dropColumns(schema, 'accounts', ...Object.keys(SETTINGS))
  },
}
