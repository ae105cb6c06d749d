import { addColumns, dropColumns, type Migration } from './tools.js'

/** Columns of existing tables that refer to new record types. */
const REFERENCES: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['requests', 'ci_id', 'template_id', 'problem_id', 'change_id', 'project_id', 'knowledge_article_id'],
  ['people', 'ui_extension_id'],
  ['organizations', 'ui_extension_id'],
  ['sites', 'ui_extension_id'],
]

/** References from requests, people, organizations and sites to the record types of version 0.2. */
export const referToMoreRecords: Migration = {
  name: '0005_refer_to_more_records',

  async up(schema) {
    for (const [table, ...columns] of REFERENCES) {
      for (const column of columns) {
        // One by one, and only what is missing: on MySQL a migration that failed is not rolled back.
        if (await schema.knex.schema.hasColumn(schema.table(table), column)) continue
        await addColumns(schema, table, (one) => one.ref(column))
      }
    }
  },

  async down(schema) {
    for (const [table, ...columns] of REFERENCES) await dropColumns(schema, table, ...columns)
  },
}
