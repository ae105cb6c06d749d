import { zoneOf } from '../plugin/core/time/time-zones.js'
import { parseInstant } from '../plugin/core/time/zoned-time.js'
import type { Migration, MigrationTools } from './tools.js'

/** Tables of agreements, and those of them that have a time zone of their own. */
const TABLES = { slas: false, flsas: true, contracts: true } as const

/** Agreements per statement. */
const BATCH = 500

/**
 * The times at which existing agreements begin and end, from which timers follow. Statuses are not set here: the timers do so,
 * with an audit line, as soon as they run. A repetition finishes what an interrupted migration has left.
 */
export const setAgreementTimes: Migration = {
  name: '0034_set_agreement_times',

  async up(schema) {
    for (const [table, hasZone] of Object.entries(TABLES)) await setTimes(schema, table, hasZone)
  },

  // The columns belong to an earlier migration, and the times are right whenever they are there.
  async down() {},
}

interface Dated {
  readonly id: number | string
  readonly zone: string | null
  readonly starts: string | null
  readonly ends: string | null
}

async function setTimes(schema: MigrationTools, name: string, hasZone: boolean): Promise<void> {
  const { knex } = schema
  const [table, accounts] = [schema.table(name), schema.table('accounts')]
  const zone = hasZone ? 'coalesce(t.time_zone, a.time_zone)' : 'a.time_zone'
  for (let last = 0; ; ) {
    // As texts: a lent connection may read dates as objects in its own time zone.
    const rows: Dated[] = await knex({ t: table })
      .leftJoin({ a: accounts }, 'a.id', 't.account_id')
      .where('t.id', '>', last)
      .where((missing) => {
        missing.where((one) => one.whereNotNull('t.start_date').whereNull('t.begins_at'))
        missing.orWhere((one) => one.whereNotNull('t.expiry_date').whereNull('t.ends_at'))
      })
      .orderBy('t.id')
      .limit(BATCH)
      .select('t.id', knex.raw(`${zone} as zone`))
      .select(knex.raw('cast(t.start_date as char(10)) as starts, cast(t.expiry_date as char(10)) as ends'))
    for (const some of byZone(rows)) await setTimesOf(schema, table, some)
    if (rows.length < BATCH) return
    last = Number(rows.at(-1)?.id)
  }
}

/** Rows of the same time zone. */
function byZone(rows: readonly Dated[]): readonly (readonly Dated[])[] {
  const found = new Map<string | null, Dated[]>()
  for (const row of rows) found.set(row.zone, [...(found.get(row.zone) ?? []), row])
  return [...found.values()]
}

/** The times follow from the dates as they are when the statement runs: another process may have changed them since. */
async function setTimesOf({ knex }: MigrationTools, table: string, rows: readonly Dated[]): Promise<void> {
  const zone = zoneOf(String(rows[0]?.zone)) ?? 'UTC'
  const begins = timesOf(rows, 'starts', (date) => parseInstant(date, zone))
  const ends = timesOf(rows, 'ends', (date) => parseInstant(dayAfter(date), zone))
  const caseOf = (date: string, time: string, times: readonly (readonly [string, string])[]) => {
    if (times.length === 0) return []
    const whens = times.map(() => 'when ? then ?').join(' ')
    return [{ sql: `${time} = case cast(${date} as char(10)) ${whens} else ${time} end`, bindings: times.flat() }]
  }
  const sets = [...caseOf('start_date', 'begins_at', begins), ...caseOf('expiry_date', 'ends_at', ends)]
  if (sets.length === 0) return
  const ids = rows.map(({ id }) => id)
  const list = ids.map(() => '?').join(', ')
  await knex.raw(`update ?? set ${sets.map(({ sql }) => sql).join(', ')} where id in (${list})`, [
    ...[table, ...sets.flatMap(({ bindings }) => bindings)],
    ...ids,
  ])
}

/** Dates with their times, in the form of the columns; none for dates without a time. */
function timesOf(rows: readonly Dated[], column: 'starts' | 'ends', timeOf: (date: string) => string | null) {
  const dates = [...new Set(rows.flatMap((row) => row[column] ?? []))]
  return dates.flatMap((date) => {
    const time = timeOf(date)
    return time === null ? [] : [[date, time.slice(0, 19).replace('T', ' ')] as const]
  })
}

function dayAfter(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? '' : new Date(time + 86_400_000).toISOString().slice(0, 10)
}
