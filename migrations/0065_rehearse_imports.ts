import { addColumns, createTable, dropColumns, dropTables, type Migration } from './tools.js'

/**
 * Dry runs of imports: the rows that later ones may depend on, and examples of what would change. Whole lists: how many records a
 * file may lack, and the last one that is done.
 */
export const rehearseImports: Migration = {
  name: '0065_rehearse_imports',

  async up(schema) {
    // On MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('imports'), 'dry_run')))
      await addColumns(schema, 'imports', (table) => {
        table.boolean('dry_run').notNullable().defaultTo(false)
        table.integer('absent_limit')
        table.number('absent_id').notNullable().defaultTo(0)
      })
    await createTable(schema, 'import_earlier_rows', (table) => {
      table.number('import_id').notNullable()
      table.integer('line').notNullable()
      // The line and the cells of each row of a group.
      table.longText('group_rows').notNullable()
      table.primary('import_id', 'line')
    })
    await createTable(schema, 'import_ties', (table) => {
      table.number('import_id').notNullable()
      // A digest.
      table.exact('tie', 64).notNullable()
      table.integer('line').notNullable()
      table.primary('import_id', 'tie', 'line')
    })
    await createTable(schema, 'import_changes', (table) => {
      table.number('import_id').notNullable()
      table.integer('position').notNullable()
      table.exact('record_type', 64).notNullable()
      table.number('record_id')
      table.text('record_name')
      table.exact('field', 128).notNullable()
      // JSON.
      table.longText('value_before').notNullable()
      table.longText('value_after').notNullable()
      table.primary('import_id', 'position')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_changes', 'import_ties', 'import_earlier_rows')
    await dropColumns(schema, 'imports', 'dry_run', 'absent_limit', 'absent_id')
  },
}
