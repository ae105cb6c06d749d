import { addIndex, dropIndex, type Migration } from './tools.js'

/** The index by which the timer finds waiting assignments of project tasks. */
export const indexWaitingAssignments: Migration = {
  name: '0028_index_waiting_assignments',

  async up(schema) {
    await addIndex(schema, 'project_task_assignments', 'status', 'waiting_until')
  },

  async down(schema) {
    await dropIndex(schema, 'project_task_assignments', 'status', 'waiting_until')
  },
}
