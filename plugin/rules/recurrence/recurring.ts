/** Settings of a recurrence: those that each frequency needs, and values derived from them (spec, Recurrence fields). */
import { zoneOf } from '../../core/time/time-zones.js'
import { formatInstant } from '../../core/time/zoned-time.js'
import { type FillContext, type Row, rule } from '../../schema/language/define-rule.js'
import { type Frequency, icalOf, nextOccurrence, type Recurrence } from './occurrences.js'

const DAY_NAMES: readonly string[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const NTH: readonly string[] = ['first', 'second', 'third', 'fourth']
/** Frequencies that can be combined with a day of the week. */
const OF_MONTHS = ['monthly', 'yearly']

/** Allowed values of each list. */
const LISTS: { readonly [field: string]: readonly string[] } = {
  day: numbers(0, 6),
  day_of_month: [...numbers(1, 31), '-1'],
  day_of_week_day: DAY_NAMES,
  month_of_year: numbers(1, 12),
}

/** Settings of which days a recurrence has. */
const SETTINGS = [
  ...['frequency', 'interval', 'time_zone', 'start_date', 'end_date'],
  ...['day', 'day_of_month', 'day_of_week', 'day_of_week_index', 'day_of_week_day', 'month_of_year'],
]

/**
 * Checks the lists of days and months and normalizes them (`1,3,5`), resets `day_of_week` for frequencies without one, fills
 * the start date, and derives the iCalendar form and the next occurrence. Nothing occurs while the recurrence or its owner, the
 * template, is disabled.
 */
export const recurring = rule('recurring', (owner: string) => ({
  fields: [...Object.keys(LISTS), 'frequency', 'day_of_week', 'day_of_week_index', 'next_occurrence_at', 'ical'],
  keeps: {
    day_of_week: ['frequency'],
    ical: SETTINGS,
    next_occurrence_at: [...SETTINGS, 'time_of_day', 'disabled', 'owner.disabled'],
  },
  fills: ['start_date'],
  async fill(context) {
    const { call, fail, load, next } = context
    const zone = zoneOf(String(next['time_zone']))
    if (zone) next['start_date'] ??= formatInstant(call.now, zone).slice(0, 'yyyy-mm-dd'.length)
    const listsAreRight = checkLists(context)
    checkDayOfWeek(context)
    const onMonthDays = next['frequency'] === 'monthly' && next['day_of_week'] !== true
    if (onMonthDays && !next['day_of_month']) fail('day_of_month', 'blank')
    const recurrence = listsAreRight && zone ? recurrenceOf(next, zone) : null
    next['ical'] = recurrence && icalOf(recurrence)
    const isOff = next['disabled'] === true || (await load(owner, next['owner_id']))?.['disabled'] === true
    next['next_occurrence_at'] = recurrence && !isOff ? nextOccurrence(recurrence, call.now) : null
  },
}))

/** When a template is disabled or enabled again, its recurrence gets its next occurrence anew. */
export const recursWhileEnabled = rule('recursWhileEnabled', (recurrence: string) => ({
  fields: ['disabled'],
  async writtenAll(contexts, { saveAll }) {
    const switched = contexts.filter(({ before, changed }) => before && changed('disabled'))
    const found = await Promise.all(
      switched.map(({ findBy, next, type }) => findBy(recurrence, 'owner_id', next['id'], { owner_type: type })),
    )
    await saveAll(
      recurrence,
      found.flat().map(({ id }) => ({ id: Number(id), body: {} })),
    )
  },
}))

/** False if one of the lists has an unknown value. */
function checkLists({ fail, next }: FillContext): boolean {
  const wrong = Object.entries(LISTS).filter(([field, allowed]) => {
    const values = valuesIn(next, field)
    if (values.length > 0) next[field] = values.join(',')
    return values.some((value) => !allowed.includes(value))
  })
  for (const [field] of wrong) fail(field, 'inclusion')
  return wrong.length === 0
}

/**
 * Refuses `day_of_week` in the input if the frequency has none; a stored one is reset, because it belonged to another
 * frequency.
 */
function checkDayOfWeek({ fail, fieldOf, given, next }: FillContext): void {
  if (next['day_of_week'] !== true || OF_MONTHS.includes(String(next['frequency']))) return
  const { enumeration } = fieldOf('frequency')
  if (given.has('day_of_week')) fail('day_of_week', 'only_with_frequency', { enumeration, values: OF_MONTHS })
  else next['day_of_week'] = false
}

/** The settings in the form that calendars use; null if a required one is missing. */
function recurrenceOf(row: Row, zone: string): Recurrence | null {
  const { start_date: startDate, end_date: endDate, time_of_day: timeOfDay, interval } = row
  if (typeof startDate !== 'string' || typeof timeOfDay !== 'string' || typeof interval !== 'number') return null
  const nthWeekdays = row['day_of_week'] === true ? nthWeekdaysOf(row) : null
  if (nthWeekdays?.weekdays.length === 0) return null
  return {
    frequency: row['frequency'] as Frequency,
    interval,
    startDate,
    endDate: typeof endDate === 'string' ? endDate : null,
    timeOfDay,
    zone,
    // Sunday is 0 in the API and 7 in calendars.
    weekdays: valuesIn(row, 'day').map((day) => Number(day) || 7),
    monthDays: valuesIn(row, 'day_of_month').map(Number),
    nthWeekdays,
    months: valuesIn(row, 'month_of_year').map(Number),
  }
}

function nthWeekdaysOf(row: Row): Recurrence['nthWeekdays'] {
  const nth = NTH.indexOf(String(row['day_of_week_index'])) + 1
  const weekdays = valuesIn(row, 'day_of_week_day').map((day) => DAY_NAMES.indexOf(day) + 1)
  return { nth: nth || -1, weekdays }
}

function valuesIn(row: Row, field: string): readonly string[] {
  const text = row[field]
  return typeof text === 'string' ? text.split(',').map((value) => value.trim()) : []
}

function numbers(from: number, until: number): readonly string[] {
  return Array.from({ length: until - from + 1 }, (_, index) => String(from + index))
}
