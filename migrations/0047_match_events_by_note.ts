import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

/** From `0040_match_events`; the wider ones replace them. */
const OLD: readonly (readonly string[])[] = [
  ['ci_id', 'created_at'],
  ['requested_for_id', 'subject', 'created_at'],
]
/** Everything that must be equal, then the time by which the newest one comes first. Open requests have no time of completion. */
const NEW: readonly (readonly string[])[] = [
  ['ci_id', 'source', 'service_instance_id', 'completed_at', 'created_at'],
  ['requested_for_id', 'note_digest', 'subject', 'source', 'completed_at', 'created_at'],
]

/**
 * Events find the newest request that they match as the first row of an index, however many requests are alike. Requests from
 * before have no digest, so that events without a configuration item do not match them.
 */
export const matchEventsByNote: Migration = {
  name: '0047_match_events_by_note',

  async up(schema) {
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('requests'), 'note_digest'))) {
      await addColumns(schema, 'requests', (table) => {
        table.exact('note_digest')
      })
    }
    for (const columns of NEW) await addIndex(schema, 'requests', ...columns)
    for (const columns of OLD) await dropIndex(schema, 'requests', ...columns)
  },

  async down(schema) {
    for (const columns of OLD) await addIndex(schema, 'requests', ...columns)
    for (const columns of NEW) await dropIndex(schema, 'requests', ...columns)
    await dropColumns(schema, 'requests', 'note_digest')
  },
}
