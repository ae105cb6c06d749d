import { addIndex, dropIndex, type Migration } from './tools.js'

/** The index by which the timer of recurrences finds those that are due. */
export const indexRecurrences: Migration = {
  name: '0029_index_recurrences',

  async up(schema) {
    await addIndex(schema, 'recurrences', 'disabled', 'next_occurrence_at')
  },

  async down(schema) {
    await dropIndex(schema, 'recurrences', 'disabled', 'next_occurrence_at')
  },
}
