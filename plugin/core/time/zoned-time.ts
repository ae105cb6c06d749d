/**
 * Reads and writes times (behaviour: Value formats). Results depend on the arguments only, never on the clock or the time zone
 * of the process. Zones are IANA names; an unknown one throws a RangeError.
 */
import { IANAZone } from 'luxon'
import type { Instant } from '../clock.js'

const DATE = '(\\d{4})-(\\d\\d)-(\\d\\d)'
const BASIC_DATE = '(\\d{4})(\\d\\d)(\\d\\d)'
const TIME = '(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?'
const BASIC_TIME = '(\\d\\d)(\\d\\d)(?:(\\d\\d)(?:[.,]\\d+)?)?'
const OFFSET = '( ?(?:Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?))?'

const DATE_ONLY = new RegExp(`^(?:${DATE}|${BASIC_DATE})$`)
const DATETIME = new RegExp(`^${DATE}[T ]${TIME}${OFFSET}$`, 'i')
const BASIC_DATETIME = new RegExp(`^${BASIC_DATE}T${BASIC_TIME}${OFFSET}$`, 'i')
const LOCAL_DATETIME = new RegExp(`^${DATE}[T ]${TIME}$`, 'i')
const MIDNIGHT = /12:00 ?am$/i
/** A date, and what separates it from the time. */
const DATE_LENGTH = 'yyyy-mm-ddT'.length
const TIME_OF_DAY = /^(\d\d?):(\d\d)(?::(\d\d))?$/

const MINUTE = 60_000
const DAY = 86_400_000

/** The offset from UTC that a zone has at a time (milliseconds since 1970), in whole minutes. */
export type OffsetAt = (zone: string, time: number) => number

/** Reads the time zone data; takes about ten microseconds. */
export const offsetAt: OffsetAt = (zone, time) => {
  const minutes = IANAZone.create(zone).offset(time)
  if (Number.isNaN(minutes)) throw new RangeError(`There is no time zone '${zone}'`)
  // Before 1900 clocks followed the sun, and offsets have seconds, which ISO 8601 cannot express.
  return Math.round(minutes)
}

/**
 * Creates an `offsetAt` with a cache of its own, for code that reads or writes many timestamps.
 *
 * @param limit maximum number of zones times days in the cache; when it is reached, the cache is emptied
 */
export function rememberOffsets(limit = 20_000): OffsetAt {
  const days = remembered(limit, (zone, day: number) => {
    const start = offsetAt(zone, day * DAY)
    // Null for days on which the clocks change.
    return start === offsetAt(zone, (day + 1) * DAY) ? start : null
  })
  return (zone, time) => days(zone, Math.floor(time / DAY)) ?? offsetAt(zone, time)
}

/** Settings of `parseInstant` for parts that the text does not contain. */
export interface InstantOptions {
  /**
   * Meaning of a date without a time: midnight in the zone (default), midnight in UTC (filters, behaviour: Filters), or not
   * accepted.
   */
  readonly dateAlone?: 'zone' | 'utc' | 'refused'
  /** Source of offsets; pass a `rememberOffsets()` to read many times. */
  readonly offsetAt?: OffsetAt
}

/**
 * Reads a timestamp: ISO 8601 in the extended or basic form, with `Z` or an offset; without one, the local time of the zone. A
 * local time that the zone skips is moved forward by the length of the gap; of one that occurs twice, the first is meant.
 * Fractions of seconds are dropped; `24:00` is the end of the day. Null for all other texts: other forms, days and times that
 * do not exist, years outside 1000 to 9999.
 */
export function parseInstant(text: string, zone: string, options: InstantOptions = {}): Instant | null {
  const date = partsOf(DATE_ONLY, text)
  if (date && options.dateAlone === 'refused') return null
  if (date) return instantAt(timeOf(date), options.dateAlone === 'utc' ? 'UTC' : zone, options.offsetAt)
  const parts = partsOf(DATETIME, text) ?? partsOf(BASIC_DATETIME, text)
  if (!parts) return null
  const offset = parts[6]?.trim().toUpperCase()
  const time = timeOf(parts)
  if (offset === undefined || time === null) return instantAt(time, zone, options.offsetAt)
  return instantAt(offset === 'Z' ? time : time - minutesOf(offset) * MINUTE, 'UTC')
}

/**
 * A timestamp from a query string or a form, in which an unencoded plus arrives as a blank. Behind the date, a blank before an
 * offset can only have been a plus.
 */
export function withPlusRestored(text: string): string {
  return text.slice(0, DATE_LENGTH) + text.slice(DATE_LENGTH).replace(/ (\d\d(?::?\d\d)?)$/, '+$1')
}

/** Writes a timestamp as responses show it: `2016-03-14T03:14:17-06:00`; in UTC with `+00:00`. */
export function formatInstant(moment: Instant, zone: string, offset: OffsetAt = offsetAt): string {
  if (zone === 'UTC' || zone === 'Etc/UTC') return inUtc(moment)
  const time = Date.parse(moment)
  const minutes = offset(zone, time)
  const local = new Date(time + minutes * MINUTE).toISOString()
  // Further east, the last hours of the year 9999 are in the year 10000, which the form cannot express.
  return local.length > 24 ? inUtc(moment) : local.slice(0, 19) + offsetText(minutes)
}

/**
 * Creates a `formatInstant` that caches the local form of hours: most timestamps of a list then need no arithmetic. It also takes
 * timestamps as DATETIME columns hold them, `2016-03-14 09:14:17`, in UTC.
 *
 * @param limit maximum number of zones times hours in the cache; when it is reached, the cache is emptied
 */
export function createInstantFormatter(limit = 20_000): (moment: Instant, zone: string) => string {
  const offset = rememberOffsets(limit)
  const hours = remembered(limit, (zone, text: string) => {
    const hour = text.replace(' ', 'T')
    const first = formatInstant(`${hour}:00:00Z`, zone, offset)
    const last = formatInstant(`${hour}:59:59Z`, zone, offset)
    const head = first.slice(0, 13)
    const tail = first.slice(19)
    // Null for hours in which the clocks change, and for hours that begin at half past in the zone (India, +05:30).
    return last === `${head}:59:59${tail}` ? { head, tail } : null
  })
  return (moment, zone) => {
    const hour = hours(zone, moment.slice(0, 13))
    if (hour) return hour.head + moment.slice(13, 19) + hour.tail
    return formatInstant(moment[10] === ' ' ? `${moment.replace(' ', 'T')}Z` : moment, zone, offset)
  }
}

/** Returns the date, `2011-06-24`, if it exists and its year is 1000 to 9999; else null. */
export function validDate(text: string): string | null {
  const time = timeOf(/^\d{4}-\d\d-\d\d$/.test(text) ? partsOf(DATE_ONLY, text) : null)
  return time === null ? null : text
}

/** Returns the time of day as `08:30`, from `00:00` to `24:00` (end of the day), without seconds; else null. */
export function validTimeOfDay(text: string): string | null {
  const [, hours = '', minutes = '', seconds = '00'] = TIME_OF_DAY.exec(text) ?? []
  return isClockTime(Number(hours || NaN), Number(minutes), Number(seconds)) ? `${hours.padStart(2, '0')}:${minutes}` : null
}

/**
 * Returns a datetime without a zone as `2010-12-30T23:00`, without seconds; else null.
 *
 * @param options.end the text is the end of a period: `2010-12-30T24:00` is accepted and becomes `2010-12-31T00:00`; so is
 *   `2010-12-30T12:00am`, which is the same (spec, Broadcast: end_at)
 */
export function validLocalDatetime(text: string, options: { readonly end?: boolean } = {}): string | null {
  const parts = partsOf(LOCAL_DATETIME, options.end ? text.replace(MIDNIGHT, '24:00') : text)
  const time = timeOf(parts)
  if (time === null || !isSupported(time)) return null
  if (parts?.[3] === '24' && !options.end) return null
  return new Date(time).toISOString().slice(0, 16)
}

/** Year, month, day, hours, minutes, seconds and offset as texts. Groups of the other form are undefined and left out. */
type Parts = readonly (string | undefined)[]

function partsOf(form: RegExp, text: string): Parts | null {
  const parts = form.exec(text)?.slice(1)
  if (!parts) return null
  return parts[0] === undefined ? parts.slice(3) : parts
}

/** The parts read as UTC, in milliseconds; null if there is no such day or time. */
function timeOf(parts: Parts | null): number | null {
  if (!parts) return null
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(0, 6)
    .map((part) => (part === undefined ? 0 : Number(part)))
  const date = Date.UTC(year, month - 1, day)
  // Date.UTC turns 30 February into 2 March.
  const exists = new Date(date).getUTCMonth() === month - 1 && new Date(date).getUTCDate() === day
  if (!exists || year < 1000 || !isClockTime(hours, minutes, seconds)) return null
  return date + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

function isClockTime(hours: number, minutes: number, seconds: number): boolean {
  return (hours < 24 && minutes < 60 && seconds < 60) || (hours === 24 && minutes === 0 && seconds === 0)
}

/** The time in milliseconds at which the clocks of the zone show this local time. */
function instantAt(local: number | null, zone: string, offset: OffsetAt = offsetAt): Instant | null {
  if (local === null) return null
  const time = zone === 'UTC' ? local : fromClocks(local, zone, offset)
  return isSupported(time) ? `${new Date(time).toISOString().slice(0, 19)}Z` : null
}

/** luxon guesses by today's offset, so that the same text would mean another time in winter than in summer. */
function fromClocks(local: number, zone: string, offset: OffsetAt): number {
  const before = offset(zone, local - DAY)
  const after = offset(zone, local + DAY)
  const shown = [before, after]
    .map((minutes) => local - minutes * MINUTE)
    .filter((time) => time + offset(zone, time) * MINUTE === local)
  return shown.length > 0 ? Math.min(...shown) : local - before * MINUTE
}

function isSupported(time: number): boolean {
  return time >= Date.UTC(1000, 0, 1) && time < Date.UTC(10_000, 0, 1)
}

function minutesOf(offset: string): number {
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  return (offset.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)))
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`
}

function inUtc(moment: Instant): string {
  return `${moment.slice(0, 19)}+00:00`
}

/** Caches results by zone and argument. Each call returns a cache of its own, which stays below the limit. */
function remembered<Q, A>(limit: number, answer: (zone: string, question: Q) => A): (zone: string, question: Q) => A {
  const zones = new Map<string, Map<Q, A>>()
  let size = 0
  return (zone, question) => {
    const known = zones.get(zone)?.get(question)
    if (known !== undefined) return known
    if (size >= limit) {
      zones.clear()
      size = 0
    }
    const made = answer(zone, question)
    const ofZone = zones.get(zone) ?? new Map<Q, A>()
    zones.set(zone, ofZone.set(question, made))
    size += 1
    return made
  }
}
