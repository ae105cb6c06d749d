import { addColumns, dropColumns, type Migration } from './tools.js'

/** Number of times in a row that work on an import stopped without saving another line: such an import is marked as failed. */
export const countStalledImports: Migration = {
  name: '0016_count_stalled_imports',

  async up(schema) {
    if (await schema.knex.schema.hasColumn(schema.table('imports'), 'stalled_runs')) return
    await addColumns(schema, 'imports', (table) => void table.integer('stalled_runs').notNullable().defaultTo(0))
  },

  async down(schema) {
    await dropColumns(schema, 'imports', 'stalled_runs')
  },
}
