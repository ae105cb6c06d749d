import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

/** Agreements: the times at which they begin and end, with the indexes that their timers need. */
const TABLES = ['slas', 'flsas', 'contracts'] as const

/**
 * True for affected SLAs that cover the person that their request is for; the times at which agreements begin and end, which
 * `0034` sets in existing ones.
 */
export const keepServiceLevels: Migration = {
  name: '0027_keep_service_levels',

  async up(schema) {
    // An interrupted migration is repeated.
    const isMissing = async (table: string, column: string) =>
      !(await schema.knex.schema.hasColumn(schema.table(table), column))
    if (await isMissing('affected_slas', 'covers_requester'))
      await addColumns(schema, 'affected_slas', (table) => void table.boolean('covers_requester'))
    for (const name of TABLES) {
      for (const column of ['begins_at', 'ends_at']) {
        if (await isMissing(name, column)) await addColumns(schema, name, (table) => void table.datetime(column))
        await addIndex(schema, name, 'status', column)
      }
    }
  },

  async down(schema) {
    for (const name of TABLES) {
      for (const column of ['begins_at', 'ends_at']) {
        await dropIndex(schema, name, 'status', column)
        await dropColumns(schema, name, column)
      }
    }
    await dropColumns(schema, 'affected_slas', 'covers_requester')
  },
}
