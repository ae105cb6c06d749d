import { addIndex, dropIndex, type Migration } from './tools.js'

/** By which timers find the records that wait; InnoDB ends each with the id, in whose order records of one moment come. */
const TABLES = ['requests', 'problems', 'tasks', 'project_tasks'] as const

/** Indexes for the timers of records that wait until a moment. Servers add them while the tables are read and written. */
export const indexWaitingRecords: Migration = {
  name: '0023_index_waiting_records',

  async up(schema) {
    for (const table of TABLES) await addIndex(schema, table, 'status', 'waiting_until')
  },

  async down(schema) {
    for (const table of TABLES) await dropIndex(schema, table, 'status', 'waiting_until')
  },
}
