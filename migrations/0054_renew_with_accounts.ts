import { addColumns, addIndex, dropColumns, dropIndex, inRanges, type Migration } from './tools.js'

const MARK = 'renew_at'
/** The tables, with the columns of the index that finds what is due. */
const INDEXES = { organizations: ['business_unit', MARK], broadcasts: [MARK] } as const
/** Earlier than any time at which records were made due. */
const LONG_AGO = '2000-01-01 00:00:00'

/**
 * When business units and broadcasts are computed again, which follow from the organization and the language of their account. They
 * are once, by the timers, as are the affected SLAs of open requests: until now they did not follow every change.
 */
export const renewWithAccounts: Migration = {
  name: '0054_renew_with_accounts',

  async up(schema) {
    for (const [name, columns] of Object.entries(INDEXES)) {
      // An interrupted migration is repeated.
      if (!(await schema.knex.schema.hasColumn(schema.table(name), MARK)))
        await addColumns(schema, name, (table) => void table.datetime(MARK))
      await addIndex(schema, name, ...columns)
    }
    const mark = { [MARK]: LONG_AGO }
    await inRanges(schema, 'organizations', (rows) => rows.where({ business_unit: true }).update(mark))
    await inRanges(schema, 'broadcasts', (rows) => rows.update(mark))
    await inRanges(schema, 'affected_slas', (ofOpenRequests) => ofOpenRequests.whereNull('actual_resolution_at').update(mark))
  },

  async down(schema) {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await dropIndex(schema, name, ...columns)
      await dropColumns(schema, name, MARK)
    }
  },
}
