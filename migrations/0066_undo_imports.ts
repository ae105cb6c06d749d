import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/**
 * Undoing imports: which audit lines an import can have written, what it has done to records without audit lines, and how far an
 * undo has come.
 */
export const undoImports: Migration = {
  name: '0066_undo_imports',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('imports'), 'undo_of')))
      await addColumns(schema, 'imports', (table) => {
        table.number('lines_after')
        table.number('lines_until')
        table.ref('undo_of')
        table.integer('undo_step').notNullable().defaultTo(0)
        table.number('undo_below')
      })
    await createTable(schema, 'import_unaudited', (table) => {
      table.id()
      table.number('import_id').notNullable()
      table.exact('record_type', 64).notNullable()
      table.number('record_id').notNullable()
      table.exact('owner_type', 64)
      table.number('owner_id')
      // Rows as JSON; empty before it was created, and after it was removed.
      table.longText('row_before')
      table.longText('row_after')
      table.index('import_id', 'id')
      table.index('import_id', 'owner_type', 'owner_id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_unaudited')
    await dropColumns(schema, 'imports', 'lines_after', 'lines_until', 'undo_of', 'undo_step', 'undo_below')
  },
}
