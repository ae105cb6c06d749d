import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/** The rows of imports that refer to later rows of their file, and how far their second pass has come. */
export const linkLaterRows: Migration = {
  name: '0061_link_later_rows',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('imports'), 'later_line')))
      await addColumns(schema, 'imports', (table) => void table.integer('later_line').notNullable().defaultTo(0))
    await createTable(schema, 'import_later_rows', (table) => {
      table.number('import_id').notNullable()
      table.integer('line').notNullable()
      table.number('record_id').notNullable()
      table.exact('counted_as', 20).notNullable()
      table.primary('import_id', 'line')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_later_rows')
    await dropColumns(schema, 'imports', 'later_line')
  },
}
