import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

/** The requests that an event can match: those of an item, or of a person with that subject, by time. */
const INDEXES: readonly (readonly string[])[] = [
  ['ci_id', 'created_at'],
  ['requested_for_id', 'subject', 'created_at'],
]

/**
 * Events find the requests that they match, and equal notes, without reading any others. Notes from before have no digest: only
 * those of the day before the update could still be compared with those of events.
 */
export const matchEvents: Migration = {
  name: '0040_match_events',

  async up(schema) {
    for (const columns of INDEXES) await addIndex(schema, 'requests', ...columns)
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('notes'), 'digest'))) {
      await addColumns(schema, 'notes', (table) => {
        table.exact('digest')
      })
    }
    await addIndex(schema, 'notes', 'digest', 'owner_id')
  },

  async down(schema) {
    await dropIndex(schema, 'notes', 'digest', 'owner_id')
    await dropColumns(schema, 'notes', 'digest')
    for (const columns of INDEXES) await dropIndex(schema, 'requests', ...columns)
  },
}
