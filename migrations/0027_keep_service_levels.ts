import { addColumns, dropColumns, type Migration } from './tools.js'

/** True for affected SLAs that cover the person that their request is for. */
export const keepServiceLevels: Migration = {
  name: '0027_keep_service_levels',

  async up(schema) {
    // An interrupted migration is repeated.
    if (await schema.knex.schema.hasColumn(schema.table('affected_slas'), 'covers_requester')) return
    await addColumns(schema, 'affected_slas', (table) => void table.boolean('covers_requester'))
  },

  async down(schema) {
    await dropColumns(schema, 'affected_slas', 'covers_requester')
  },
}
