import { dropTables, type Migration, partTable } from './tools.js'

/** The order of the task templates of change templates. */
export const orderTaskTemplates: Migration = {
  name: '0068_order_task_templates',

  async up(schema) {
    await partTable(schema, 'task_sequences', (table) => {
      table.ref('predecessor_id')
      table.ref('successor_id')
      table.unique('owner_type', 'owner_id', 'predecessor_id', 'successor_id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'task_sequences')
  },
}
