import { addIndex, dropIndex, type Migration } from './tools.js'

/**
 * Columns by which timers find the waiting records; InnoDB ends each index with the id, which sorts records of the same time.
 */
const TABLES = ['requests', 'problems', 'tasks', 'project_tasks'] as const

/** Indexes for the timers of waiting records. Servers add them while the tables are read and written. */
export const indexWaitingRecords: Migration = {
  name: '0023_index_waiting_records',

  async up(schema) {
    for (const table of TABLES) await addIndex(schema, table, 'status', 'waiting_until')
  },

  async down(schema) {
    for (const table of TABLES) await dropIndex(schema, table, 'status', 'waiting_until')
  },
}
