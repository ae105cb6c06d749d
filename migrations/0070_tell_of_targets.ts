import { addColumns, addIndex, dropColumns, dropIndex, inRanges, type Migration } from './tools.js'

const TARGETS = ['response', 'resolution'] as const
/** The number of events after which no further one follows. */
const ALL = 2
/** Earlier than any time at which records were made due. */
const LONG_AGO = '2000-01-01 00:00:00'

/**
 * When requests have their next event about a target. Nobody is told of targets that were missed before; the affected SLAs of open
 * requests are computed again, by the timers, so that their other targets have warnings.
 */
export const tellOfTargets: Migration = {
  name: '0070_tell_of_targets',

  async up(schema) {
    const has = (name: string, column: string) => schema.knex.schema.hasColumn(schema.table(name), column)
    const now = `${new Date().toISOString().slice(0, 19)}Z`
    for (const target of TARGETS) {
      const [warning, at, events] = [`${target}_warning_at`, `${target}_event_at`, `${target}_events`]
      // An interrupted migration is repeated.
      if (!(await has('affected_slas', warning)))
        await addColumns(schema, 'affected_slas', (table) => void table.datetime(warning))
      if (!(await has('requests', at))) await addColumns(schema, 'requests', (table) => void table.datetime(at))
      if (!(await has('requests', events)))
        await addColumns(schema, 'requests', (table) => void table.integer(events).notNullable().defaultTo(0))
      await addIndex(schema, 'requests', events, at)
      // Words come after all digits.
      await inRanges(schema, 'requests', (missed) => missed.where(`${target}_target_at`, '<', now).update({ [events]: ALL }))
    }
    await inRanges(schema, 'affected_slas', (ofOpen) => ofOpen.whereNull('actual_resolution_at').update({ renew_at: LONG_AGO }))
  },

  async down(schema) {
    for (const target of TARGETS) {
      await dropIndex(schema, 'requests', `${target}_events`, `${target}_event_at`)
      await dropColumns(schema, 'requests', `${target}_event_at`, `${target}_events`)
      await dropColumns(schema, 'affected_slas', `${target}_warning_at`)
    }
  },
}
