import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

/** The time at which the first tasks of a change begin, with the index that its timer needs. */
export const startChanges: Migration = {
  name: '0025_start_changes',

  async up(schema) {
    await addColumns(schema, 'changes', (table) => void table.datetime('starts_at'))
    await addIndex(schema, 'changes', 'status', 'starts_at')
  },

  async down(schema) {
    await dropIndex(schema, 'changes', 'status', 'starts_at')
    await dropColumns(schema, 'changes', 'starts_at')
  },
}
