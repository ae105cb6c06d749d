import { addColumns, dropColumns, type Migration } from './tools.js'

/** The team that a request had before: declined requests go back to it. */
export const rememberPreviousTeams: Migration = {
  name: '0026_remember_previous_teams',

  async up(schema) {
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('requests'), 'previous_team_id')) return
    await addColumns(schema, 'requests', (table) => void table.number('previous_team_id'))
  },

  async down(schema) {
    await dropColumns(schema, 'requests', 'previous_team_id')
  },
}
