import { addColumns, dropColumns, type Migration } from './tools.js'

/** Completed requests whose source ID an event has given to a new request: it is shown, and found no more. */
export const passOnSourceIds: Migration = {
  name: '0080_pass_on_source_ids',

  async up(schema) {
    // An interrupted migration is repeated.
    if (!(await schema.knex.schema.hasColumn(schema.table('requests'), 'past_sourceID')))
      await addColumns(schema, 'requests', (table) => void table.string('past_sourceID', 128))
  },

  async down(schema) {
    await dropColumns(schema, 'requests', 'past_sourceID')
  },
}
