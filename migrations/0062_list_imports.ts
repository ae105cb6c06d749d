import { addColumns, addIndex, createTable, dropColumns, dropIndex, dropTables, type Migration } from './tools.js'

/** What lists of imports show, who stopped one, its renamed headers, and the rows that were not saved. */
export const listImports: Migration = {
  name: '0062_list_imports',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('imports'), 'lines')))
      await addColumns(schema, 'imports', (table) => {
        table.integer('lines')
        table.longText('header')
        table.longText('mapping')
        table.number('stopped_by')
      })
    await addIndex(schema, 'imports', 'account_id', 'id')
    await addIndex(schema, 'imports', 'finished_at')
    await createTable(schema, 'import_failures', (table) => {
      table.number('import_id').notNullable()
      table.integer('line').notNullable()
      table.longText('cells').notNullable()
      table.text('field').notNullable()
      table.text('reason').notNullable()
      table.primary('import_id', 'line')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_failures')
    await dropIndex(schema, 'imports', 'finished_at')
    await dropIndex(schema, 'imports', 'account_id', 'id')
    await dropColumns(schema, 'imports', 'lines', 'header', 'mapping', 'stopped_by')
  },
}
