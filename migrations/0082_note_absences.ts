import { createTable, dropTables, type Migration } from './tools.js'

/** Which records a whole list has disabled, so that a later one can enable them again. */
export const noteAbsences: Migration = {
  name: '0082_note_absences',

  async up(schema) {
    await createTable(schema, 'import_absences', (table) => {
      table.exact('record_type', 64).notNullable()
      table.number('record_id').notNullable()
      // The newest audit line when it was disabled: a later one says that somebody else has decided since.
      table.number('line_id').notNullable()
      table.primary('record_type', 'record_id')
    })
  },

  async down(schema) {
    await dropTables(schema, 'import_absences')
  },
}
