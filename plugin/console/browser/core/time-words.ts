/** Weekdays, hours, spans and amounts of time, as the language of the reader writes them. */
import type { Texts } from './texts.js'

/** Days as the API names them. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A Monday, at midnight. */
const MONDAY = Date.UTC(2024, 0, 1)
const MINUTE = 60_000
const HOUR = 60
const DAY = 24 * HOUR

/** The days of the week in the order of the reader. */
export function weekOf(locale: string): readonly Weekday[] {
  const first = firstDayOf(locale) - 1
  return [...WEEKDAYS.slice(first), ...WEEKDAYS.slice(0, first)]
}

/** From 1, which is Monday. Browsers that do not know begin with it. */
function firstDayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number }
    readonly weekInfo?: { readonly firstDay: number }
  }
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1
}

export function weekdayName(locale: string, day: Weekday): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY + WEEKDAYS.indexOf(day) * DAY * MINUTE,
  )
}

/** The name of a day by its number, which is 0 for Sunday. */
export function dayOfWeekName(locale: string, day: number): string {
  return weekdayName(locale, WEEKDAYS[(day + 6) % 7] ?? 'mon')
}

/** From 1, which is January. */
export function monthName(locale: string, month: number): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1))
}

/** The numbers or names of a list with commas: days, months. */
export function listOf(list: unknown): readonly string[] {
  return typeof list === 'string'
    ? list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)
    : []
}

export function listText(locale: string, texts: readonly string[]): string {
  return new Intl.ListFormat(locale).format(texts)
}

/** `08:30` by the clock of the reader: `8:30 am`. */
export function clockText(locale: string, time: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(MONDAY + minutesIn(time) * MINUTE)
}

/** Minutes since midnight of `08:30`; of `24:00`, those of the whole day. */
export function minutesIn(time: string): number {
  return Number(time.slice(0, 2)) * HOUR + Number(time.slice(3, 5))
}

/** `08:30–12:00`; a whole day, and midnight at its end, in words. */
export function hoursText({ locale, t }: Pick<Texts, 'locale' | 't'>, from: string, until: string): string {
  if (from === '00:00' && until === '24:00') return t('times_all_day')
  const written = (time: string) => (time === '24:00' ? t('times_midnight') : clockText(locale, time))
  return `${written(from)} – ${written(until)}`
}

/** An amount of minutes in hours and minutes: `7 hours 30 minutes`. */
export function amountText(locale: string, minutes: number): string {
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  const hours = Math.floor(minutes / HOUR)
  const rest = minutes % HOUR
  if (hours === 0) return part(rest, 'minute')
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`
}

/** How far a moment is from another one, in its largest unit: `in 3 days`, `2 hours ago`. */
export function distanceText(locale: string, moment: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const minutes = Math.trunc((moment - now) / MINUTE)
  const size = Math.abs(minutes)
  if (size < HOUR) return words.format(minutes, 'minute')
  if (size < 2 * DAY) return words.format(Math.trunc(minutes / HOUR), 'hour')
  if (size < 365 * DAY) return words.format(Math.trunc(minutes / DAY), 'day')
  return words.format(Math.trunc(minutes / (365 * DAY)), 'year')
}

/** A span of local times whose end is not part of it. Whole days without their hours: `25–26 December 2026`. */
export function spanText(locale: string, start: string, end: string): string {
  const [from, until] = [Date.parse(`${start}Z`), Date.parse(`${end}Z`)]
  if (!(from < until)) return `${start} – ${end}`
  const isWhole = start.endsWith('T00:00') && end.endsWith('T00:00')
  const style = isWhole ? ({ dateStyle: 'long' } as const) : ({ dateStyle: 'long', timeStyle: 'short' } as const)
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).formatRange(from, isWhole ? until - MINUTE : until)
}

/** A moment by the clock of the reader, as the API writes local times. */
export function localText(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}
