import { addColumns, dropColumns, type Migration } from './tools.js'

const COLUMNS = ['origin', 'source', 'cause', 'caused_by'] as const

/**
 * Where a change came from, and what made it. Lines from before have no values. The table may be large: columns without a default
 * are added at its end, which servers do at once, without writing a row.
 */
export const explainAuditLines: Migration = {
  name: '0042_explain_audit_lines',

  async up(schema) {
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (await schema.knex.schema.hasColumn(schema.table('audit_lines'), 'origin')) return
    await addColumns(schema, 'audit_lines', (table) => {
      table.enum('origin')
      table.string('source', 30)
      table.string('cause', 255)
      table.exact('caused_by', 100)
    })
  },

  async down(schema) {
    await dropColumns(schema, 'audit_lines', ...COLUMNS)
  },
}
