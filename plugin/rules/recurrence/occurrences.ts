/**
 * Recurrences (spec, Change template; behaviour: Change templates): their days, their next occurrence, and their iCalendar
 * form. Days are those of the recurrence's own time zone. The meaning is that of iCalendar (RFC 5545): periods count from the
 * one with the start date, weeks start on Monday, and days that a month does not have are skipped.
 */
import { DateTime } from 'luxon'
import type { Instant } from '../../core/clock.js'
import { parseInstant } from '../../core/time/zoned-time.js'

/** Frequencies of a recurrence; the first one means only once. */
export const FREQUENCIES = ['no_repeat', 'daily', 'weekly', 'monthly', 'yearly'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** A recurrence with all its settings read. Lists are empty if the recurrence does not limit them. */
export interface Recurrence {
  readonly frequency: Frequency
  /** Number of days, weeks, months or years from one occurrence to the next. */
  readonly interval: number
  /** The first and the last possible day: `2026-11-23`. */
  readonly startDate: string
  readonly endDate: string | null
  /** `08:30` */
  readonly timeOfDay: string
  /** IANA name. */
  readonly zone: string
  /** Daily and weekly: days of the week, 1 Monday to 7 Sunday. */
  readonly weekdays: readonly number[]
  /** Monthly and yearly: days of the month, 1 to 31 or -1 for the last one. */
  readonly monthDays: readonly number[]
  /** Monthly and yearly, instead of days of the month: the first to fourth (1 to 4) or last (-1) of these days of the week. */
  readonly nthWeekdays: { readonly nth: number; readonly weekdays: readonly number[] } | null
  /** Yearly: 1 to 12. */
  readonly months: readonly number[]
}

/**
 * The first occurrence after the timestamp; null if none is left, or never was one (every 30 February). A recurrence that does
 * not repeat occurs once, on its start date.
 */
export function nextOccurrence(recurrence: Recurrence, after: Instant): Instant | null {
  for (const day of daysFrom(recurrence, after)) {
    const moment = parseInstant(`${day}T${recurrence.timeOfDay}`, recurrence.zone)
    if (moment !== null && moment > after) return moment
  }
  return null
}

/**
 * The recurrence without its time of day: the line DTSTART and, if it repeats, the line RRULE. The last day is written as the
 * start of that day in UTC, because that is how iCalendar compares it with starts in a zone.
 */
export function icalOf(recurrence: Recurrence): string {
  const { frequency, interval, months, monthDays, nthWeekdays, startDate, endDate, weekdays, zone } = recurrence
  const start = `DTSTART;TZID=${zone}:${basic(startDate)}T000000`
  if (frequency === 'no_repeat') return start
  const until = endDate === null ? null : parseInstant(`${endDate}T00:00`, zone)
  const hasMonthDays = frequency === 'monthly' || frequency === 'yearly'
  const days = hasMonthDays ? nthWeekdays : { nth: '', weekdays }
  const parts = [
    `FREQ=${frequency.toUpperCase()}`,
    interval === 1 ? '' : `INTERVAL=${interval}`,
    until === null ? '' : `UNTIL=${basic(until)}`,
    listed('BYMONTH', frequency === 'yearly' ? months : []),
    listed('BYMONTHDAY', hasMonthDays && !nthWeekdays ? monthDays : []),
    listed('BYDAY', days?.weekdays.map((weekday) => `${days.nth}${WEEKDAY_CODES[weekday - 1]}`) ?? []),
  ]
  return `${start}\nRRULE:${parts.filter((part) => part !== '').join(';')}`
}

/** Unit of each frequency, and the number of units after which the calendar repeats: weekdays, and leap years in 400 years. */
const PERIODS = {
  no_repeat: null,
  daily: { unit: 'day', cycle: 7 },
  weekly: { unit: 'week', cycle: 1 },
  monthly: { unit: 'month', cycle: 4_800 },
  yearly: { unit: 'year', cycle: 400 },
} as const
const WEEKDAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** The days on which the recurrence falls, in order, beginning with the period of the timestamp. */
function* daysFrom(recurrence: Recurrence, after: Instant): Generator<string> {
  const { endDate, frequency, interval, startDate, zone } = recurrence
  const period = PERIODS[frequency]
  const isWithin = (day: string) => day >= startDate && (endDate === null || day <= endDate)
  if (!period) {
    if (isWithin(startDate)) yield startDate
    return
  }
  const { unit, cycle } = period
  const first = dayOf(startDate).startOf(unit)
  // A day earlier than today: where clocks skip midnight, a late occurrence of yesterday moves into today.
  const today = DateTime.fromISO(after, { zone }).setZone('utc', { keepLocalTime: true }).minus({ days: 1 })
  const passed = Math.max(0, Math.floor(today.startOf(unit).diff(first, unit).as(unit) / interval))
  // Covers every start within the cycle, plus two periods, because the first two may be in the past.
  const last = passed + cycle / commonDivisor(cycle, interval) + 1
  for (let index = passed; index <= last; index++) {
    const start = first.plus({ [unit]: index * interval })
    if (!start.isValid || start.year > 9999 || (endDate !== null && isoDate(start) > endDate)) return
    yield* daysIn(start, recurrence).map(isoDate).filter(isWithin)
  }
}

/** The fitting days of one period, in order. */
function daysIn(period: DateTime, recurrence: Recurrence): DateTime[] {
  const { frequency, months, startDate, weekdays } = recurrence
  const start = dayOf(startDate)
  switch (frequency) {
    case 'daily':
      return weekdays.length === 0 || weekdays.includes(period.weekday) ? [period] : []
    case 'weekly':
      return inOrder(weekdays.length > 0 ? weekdays : [start.weekday]).map((weekday) => period.plus({ days: weekday - 1 }))
    case 'monthly':
      return daysOfMonth(period, recurrence)
    default:
      return inOrder(months.length > 0 ? months : [start.month]).flatMap((month) =>
        daysOfMonth(period.set({ month }), recurrence),
      )
  }
}

function daysOfMonth(month: DateTime, { monthDays, nthWeekdays, startDate }: Recurrence): DateTime[] {
  const last = month.daysInMonth ?? 0
  const wanted = nthWeekdays
    ? nthWeekdays.weekdays.map((weekday) => nthWeekdayOf(month, nthWeekdays.nth, weekday))
    : (monthDays.length > 0 ? monthDays : [dayOf(startDate).day]).map((day) => (day < 0 ? last + 1 + day : day))
  return inOrder(wanted.filter((day) => day <= last)).map((day) => month.set({ day }))
}

/** The day of the month that is its first, second … (or last) Monday, Tuesday … */
function nthWeekdayOf(month: DateTime, nth: number, weekday: number): number {
  if (nth > 0) return 1 + ((weekday - month.weekday + 7) % 7) + 7 * (nth - 1)
  const end = month.endOf('month')
  return end.day - ((end.weekday - weekday + 7) % 7)
}

function inOrder(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}

function dayOf(date: string): DateTime {
  return DateTime.fromISO(date, { zone: 'utc' })
}

function isoDate(day: DateTime): string {
  return day.toFormat('yyyy-MM-dd')
}

/** Omits the punctuation of the extended form: `20261123`, `20261123T000000Z`. */
function basic(text: string): string {
  return text.replace(/[-:]/g, '')
}

function listed(name: string, values: readonly (string | number)[]): string {
  return values.length === 0 ? '' : `${name}=${values.join(',')}`
}
