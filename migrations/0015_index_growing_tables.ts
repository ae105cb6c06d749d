import { addIndex, dropIndex, type Migration } from './tools.js'

/**
 * Tables that grow without limit, with the columns by which clients search them: their own ids of records, and spans of time.
 */
const INDEXES: readonly (readonly [table: string, column: string])[] = [
  ['requests', 'sourceID'],
  ['requests', 'created_at'],
  ['requests', 'completed_at'],
  ['people', 'sourceID'],
  ['tasks', 'sourceID'],
  ['project_tasks', 'sourceID'],
  ['changes', 'sourceID'],
  ['problems', 'sourceID'],
  ['cis', 'sourceID'],
  ['notes', 'created_at'],
  ['audit_lines', 'created_at'],
]

/** Indexes for filters that the unique keys do not serve: most filters on a source ID do not name its source. */
export const indexGrowingTables: Migration = {
  name: '0015_index_growing_tables',

  async up(schema) {
    for (const [table, column] of INDEXES) await addIndex(schema, table, 'account_id', column)
  },

  async down(schema) {
    for (const [table, column] of INDEXES) await dropIndex(schema, table, 'account_id', column)
  },
}
