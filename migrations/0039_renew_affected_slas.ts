import { addColumns, addIndex, dropColumns, dropIndex, type Migration } from './tools.js'

/** Finds affected SLAs of open requests, and those that wait for being renewed. */
const INDEX = ['actual_resolution_at', 'renew_at'] as const

/** When affected SLAs are renewed, and what tells that the holidays of a calendar have changed. */
export const renewAffectedSlas: Migration = {
  name: '0039_renew_affected_slas',

  async up(schema) {
    // An interrupted migration is repeated.
    const isMissing = async (table: string, column: string) =>
      !(await schema.knex.schema.hasColumn(schema.table(table), column))
    if (await isMissing('affected_slas', 'renew_at'))
      await addColumns(schema, 'affected_slas', (table) => void table.datetime('renew_at'))
    if (await isMissing('calendars', 'holiday_key'))
      await addColumns(schema, 'calendars', (table) => void table.string('holiday_key', 64))
    await addIndex(schema, 'affected_slas', ...INDEX)
    // Differs from all later keys.
    const [calendars, linked] = [schema.table('calendars'), schema.table('calendar_holidays')]
    await schema
      .knex(calendars)
      .whereNull('holiday_key')
      .whereIn('id', schema.knex(linked).select('calendar_id'))
      .update({ holiday_key: 'unknown' })
  },

  async down(schema) {
    await dropIndex(schema, 'affected_slas', ...INDEX)
    await dropColumns(schema, 'affected_slas', 'renew_at')
    await dropColumns(schema, 'calendars', 'holiday_key')
  },
}
