import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

const TABLES = ['tasks', 'project_tasks'] as const

/** The time at which a task begins that waits for nothing else, with the index that its timer needs. */
export const startTasks: Migration = {
  name: '0049_start_tasks',

  async up(schema) {
    for (const name of TABLES) {
      // Only what is missing: on MySQL a migration that failed is not rolled back.
      if (!(await schema.knex.schema.hasColumn(schema.table(name), 'starts_at')))
        await addColumns(schema, name, (table) => void table.datetime('starts_at'))
      await addIndex(schema, name, 'status', 'starts_at')
    }
  },

  async down(schema) {
    for (const name of TABLES) {
      await dropIndex(schema, name, 'status', 'starts_at')
      await dropColumns(schema, name, 'starts_at')
    }
  },
}
