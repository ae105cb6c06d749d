import { addColumns, dropColumns, type Migration } from './tools.js'

const COLUMN = 'service_desk_team_id'

/** The team of an account for new requests that nothing else gives a team to. */
export const nameServiceDesks: Migration = {
  name: '0052_name_service_desks',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('accounts'), COLUMN)) return
    await addColumns(schema, 'accounts', (table) => void table.number(COLUMN))
  },

  async down(schema) {
    await dropColumns(schema, 'accounts', COLUMN)
  },
}
