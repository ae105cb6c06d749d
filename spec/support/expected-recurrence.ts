/** Occurrences, found by looking at each day (spec, Recurrence fields; behaviour: Change templates). */
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { localTime } from './expected-times.js'
import type { StoredWorld } from './stored-world.js'

const DAY = 86_400_000
const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const NTH = ['first', 'second', 'third', 'fourth']
const ZONES: Readonly<Record<string, string>> = { Amsterdam: 'Europe/Amsterdam', London: 'Europe/London', Tokyo: 'Asia/Tokyo' }

const listOf = (value: unknown) => (typeof value === 'string' ? value.split(',') : [])

/** The next time after the last save, which is the time of the world: no step passes one. */
export function nextOccurrence(row: Row, world: StoredWorld): string | null {
  const template = world.get('change_template', row['owner_id'])
  if (row['disabled'] === true || template?.['disabled'] === true) return null
  const first = Date.parse(`${row['start_date']}T00:00:00Z`)
  for (let day = first; day < first + 4000 * DAY; day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10)
    if (row['end_date'] !== null && date > String(row['end_date'])) return null
    if (!occursOn(row, new Date(first), new Date(day))) continue
    const time = localTime(row['time_zone'], `${date}T${row['time_of_day']}`)
    if (time > world.now) return time
  }
  return null
}

function occursOn(row: Row, first: Date, day: Date): boolean {
  const every = Number(row['interval'])
  const months = (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth()
  const weekdays = listOf(row['day'])
  const isOnWeekday = weekdays.length === 0 ? day.getUTCDay() === first.getUTCDay() : weekdays.includes(String(day.getUTCDay()))
  switch (row['frequency']) {
    case 'no_repeat':
      return day.getTime() === first.getTime()
    case 'daily':
      return ((day.getTime() - first.getTime()) / DAY) % every === 0 && isOnWeekday
    case 'weekly':
      return Math.floor((day.getTime() - mondayBefore(first)) / (7 * DAY)) % every === 0 && isOnWeekday
    case 'monthly':
      return months % every === 0 && isDayOfMonth(row, first, day)
    default:
      return isYear(row, every, first, day) && isDayOfMonth(row, first, day)
  }
}

function mondayBefore(day: Date): number {
  return day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY
}

function isYear(row: Row, every: number, first: Date, day: Date): boolean {
  const isMonth = listOf(row['month_of_year']).includes(String(day.getUTCMonth() + 1))
  return (day.getUTCFullYear() - first.getUTCFullYear()) % every === 0 && isMonth
}

function isDayOfMonth(row: Row, first: Date, day: Date): boolean {
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  if (row['day_of_week'] === true) {
    const nth = NTH.indexOf(String(row['day_of_week_index']))
    const isNth = nth < 0 ? day.getUTCDate() > last - 7 : Math.ceil(day.getUTCDate() / 7) === nth + 1
    return isNth && listOf(row['day_of_week_day']).includes(NAMES[day.getUTCDay()] ?? '')
  }
  const days = listOf(row['day_of_month'])
  if (days.length === 0) return day.getUTCDate() === first.getUTCDate()
  return days.includes(String(day.getUTCDate())) || (days.includes('-1') && day.getUTCDate() === last)
}

/** The iCalendar form. */
export function ical(row: Row): string {
  const basic = (text: string) => text.replace(/[-:]/g, '')
  const start = `DTSTART;TZID=${ZONES[String(row['time_zone'])]}:${basic(String(row['start_date']))}T000000`
  const frequency = String(row['frequency'])
  if (frequency === 'no_repeat') return start
  const isOfMonths = ['monthly', 'yearly'].includes(frequency)
  const isNth = isOfMonths && row['day_of_week'] === true
  const nth = NTH.indexOf(String(row['day_of_week_index']))
  const weekdays = isNth
    ? listOf(row['day_of_week_day']).map((name) => `${nth < 0 ? -1 : nth + 1}${CODES[NAMES.indexOf(name)]}`)
    : isOfMonths
      ? []
      : listOf(row['day']).map((day) => CODES[Number(day)])
  const parts: readonly (readonly [string, unknown])[] = [
    ['FREQ', frequency.toUpperCase()],
    ['INTERVAL', row['interval'] === 1 ? '' : row['interval']],
    ['UNTIL', row['end_date'] === null ? '' : basic(localTime(row['time_zone'], `${row['end_date']}T00:00`))],
    ['BYMONTH', frequency === 'yearly' ? listOf(row['month_of_year']).join() : ''],
    ['BYMONTHDAY', isOfMonths && !isNth ? listOf(row['day_of_month']).join() : ''],
    ['BYDAY', weekdays.join()],
  ]
  const rule = parts.filter(([, value]) => value !== '').map(([name, value]) => `${name}=${value}`)
  return `${start}\nRRULE:${rule.join(';')}`
}
