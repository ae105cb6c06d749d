import { addColumns, addIndex, dropColumns, dropIndex, inRanges, type Migration } from './tools.js'

const MARK = 'renew_at'
/** The tables, and the statuses of records that keep their times. */
const ENDED = {
  tasks: ['failed', 'rejected', 'completed', 'approved', 'canceled'],
  projects: ['completed'],
  slas: ['expired'],
  flsas: ['expired'],
  contracts: ['expired'],
} as const
/** Earlier than any time at which records were made due. */
const LONG_AGO = '2000-01-01 00:00:00'

/**
 * When times that are counted in work hours, or in the time zone of the account, are computed again. Those of open records are
 * once, by the timers: until now they did not follow every change.
 */
export const renewCountedTimes: Migration = {
  name: '0051_renew_counted_times',

  async up(schema) {
    for (const [name, ended] of Object.entries(ENDED)) {
      // An interrupted migration is repeated.
      if (!(await schema.knex.schema.hasColumn(schema.table(name), MARK)))
        await addColumns(schema, name, (table) => void table.datetime(MARK))
      await addIndex(schema, name, MARK)
      await inRanges(schema, name, (rows) => rows.whereNotIn('status', ended).update({ [MARK]: LONG_AGO }))
    }
    await inRanges(schema, 'affected_slas', (ofOpenRequests) =>
      ofOpenRequests
        .whereNull('actual_resolution_at')
        .whereNull('time_zone')
        .update({ [MARK]: LONG_AGO }),
    )
  },

  async down(schema) {
    for (const name of Object.keys(ENDED)) {
      await dropIndex(schema, name, MARK)
      await dropColumns(schema, name, MARK)
    }
  },
}
