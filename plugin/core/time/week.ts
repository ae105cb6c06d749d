/** Hours of a calendar by the clocks on the wall: without any time zone, and so without changes of the clocks. */

/** Days of the week, as calendars name them. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Times on one day of the week: `{ weekday: 'mon', time_from: '08:30', time_until: '24:00' }`. */
export interface WeekHours {
  readonly weekday: string
  readonly time_from: string
  readonly time_until: string
}

/** A time that is not active: `{ start_at: '2026-12-25T00:00', end_at: '2026-12-27T00:00' }`. */
export interface HolidayTime {
  readonly start_at: string
  readonly end_at: string
}

/** What a calendar says. Hours and holidays may overlap and come in any order. */
export interface CalendarTimes {
  readonly hours: readonly WeekHours[]
  readonly holidays: readonly HolidayTime[]
}

/** The hours of a calendar in a form that is quick to count in. */
export interface Week {
  /** True when nothing is ever active, apart from holidays. */
  readonly isEmpty: boolean
  /**
   * Active seconds up to a time of the clocks, since a common beginning: only the difference between two times has a meaning.
   *
   * @param local seconds since 1970-01-01T00:00 by the clocks
   */
  activeUntil(local: number): number
}

/** A span of seconds, which includes the first but not the last. */
type Interval = readonly [from: number, until: number]

const DAY = 86_400
const WEEK = 7 * DAY
/** 1970 began on a Thursday. */
const MONDAY = -3 * DAY

/** Compiles a calendar; takes microseconds. Times that cannot be read, and those that end before they begin, do not count. */
export function compileWeek({ hours, holidays }: CalendarTimes): Week {
  const days = merged(hours.flatMap(intervalOfHours))
  const openUntil = counter(days)
  const whole = openUntil(WEEK)
  const hoursUntil = (local: number) => {
    const weeks = Math.floor((local - MONDAY) / WEEK)
    return weeks * whole + openUntil(local - MONDAY - weeks * WEEK)
  }
  const closedUntil = counter(merged(holidays.flatMap(intervalOfHoliday)), hoursUntil)
  return {
    isEmpty: days.length === 0,
    activeUntil: (local) => hoursUntil(local) - closedUntil(local),
  }
}

/** In seconds since the week began. */
function intervalOfHours({ weekday, time_from, time_until }: WeekHours): readonly Interval[] {
  const names: readonly string[] = WEEKDAYS
  const day = names.indexOf(weekday)
  // 00:00 is not where a day ends by itself, but hours may have been stored with it.
  const [from, until] = [secondsOf(time_from), time_until === '00:00' ? DAY : secondsOf(time_until)]
  return day >= 0 && from < until ? [[day * DAY + from, day * DAY + until]] : []
}

/** NaN for texts that are not times. */
function secondsOf(time: string): number {
  return Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60
}

function intervalOfHoliday({ start_at, end_at }: HolidayTime): readonly Interval[] {
  const [from, until] = [localSeconds(start_at), localSeconds(end_at)]
  return from < until ? [[from, until]] : []
}

/** `2026-12-25T00:00` in seconds since 1970 by the clocks. `Date.parse` takes several times as long. */
function localSeconds(text: string): number {
  const part = (start: number, end: number) => Number(text.slice(start, end))
  return Date.UTC(part(0, 4), part(5, 7) - 1, part(8, 10), part(11, 13), part(14, 16)) / 1000
}

/** Joins intervals that overlap, and returns all in order. */
function merged(intervals: readonly Interval[]): readonly Interval[] {
  const result: [number, number][] = []
  for (const [from, until] of [...intervals].sort(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], until)
    else result.push([from, until])
  }
  return result
}

/**
 * A function that adds up what lies within the intervals and before a time: seconds, or what `measure` counts up to each time.
 * Takes a binary search, however many intervals there are.
 */
function counter(intervals: readonly Interval[], measure = (time: number) => time): (time: number) => number {
  const starts = intervals.map(([from]) => ({ from, measured: measure(from) }))
  const sums: number[] = []
  let sum = 0
  for (const [from, until] of intervals) {
    sums.push(sum)
    sum += measure(until) - measure(from)
  }
  return (time) => {
    const index = lastBefore(intervals, time)
    const interval = intervals[index]
    const start = starts[index]
    if (!interval || !start) return 0
    return (sums[index] ?? 0) + measure(Math.min(time, interval[1])) - start.measured
  }
}

/** The last interval that begins before the time; -1 when there is none. */
function lastBefore(intervals: readonly Interval[], time: number): number {
  let [low, high] = [-1, intervals.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((intervals[middle]?.[0] ?? 0) < time) low = middle
    else high = middle
  }
  return low
}
