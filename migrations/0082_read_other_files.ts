import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/**
 * Files of other tools: what their values are read as, what was wrong in their cells, and which records a whole list has disabled.
 */
export const readOtherFiles: Migration = {
  name: '0082_read_other_files',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('imports'), 'other_values')))
      await addColumns(schema, 'imports', (table) => {
        // JSON, as `mapping` is.
        table.longText('other_values')
        table.longText('default_values')
      })
    await createTable(schema, 'import_mistakes', (table) => {
      table.number('import_id').notNullable()
      // Of what makes two mistakes one.
      table.exact('digest', 64).notNullable()
      table.exact('level', 10).notNullable()
      // The first row.
      table.integer('line').notNullable()
      table.integer('row_count').notNullable()
      table.text('header').notNullable()
      table.text('value').notNullable()
      table.text('reason').notNullable()
      table.primary('import_id', 'digest')
    })
    await createTable(schema, 'import_absences', (table) => {
      table.exact('record_type', 64).notNullable()
      table.number('record_id').notNullable()
      // The newest audit line when it was disabled: a later one says that somebody else has decided since.
      table.number('line_id').notNullable()
      table.primary('record_type', 'record_id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_mistakes', 'import_absences')
    await dropColumns(schema, 'imports', 'other_values', 'default_values')
  },
}
