/**
 * Time in which a calendar is active: how much of it lies between two moments, and when a given amount of it has passed. A
 * moment is active when the clocks of the zone then show a time within the hours and outside of the holidays. Where clocks are
 * set back, the hour that they show twice counts twice; one that they skip does not count (behaviour: Calendars).
 */
import type { Instant } from '../clock.js'
import { zoneOf } from './time-zones.js'
import { type CalendarTimes, compileWeek, type Week } from './week.js'
import { createZoneClock, END_OF_TIME, type ZoneClock } from './zone-clock.js'

/** The active time of one calendar in one zone. Depends on nothing but these: neither the clock nor any state. */
export interface WorkingTime {
  /** Active seconds; 0 when `until` is not after `from`. */
  secondsBetween(from: Instant, until: Instant): number
  /** Whole active minutes; seconds beyond the last whole minute are dropped. */
  minutesBetween(from: Instant, until: Instant): number
  /**
   * The first moment at which this much active time has passed: at the end of the day when that is used up, not on the next
   * morning. Without minutes it is `from` itself, active or not.
   *
   * @param minutes not negative; fractions count as seconds
   * @returns null when so much active time will never pass
   * @throws RangeError for an amount that is negative or no number
   */
  instantAfter(from: Instant, minutes: number): Instant | null
  /** The moment itself when it is active, else the next one that is; null when none will ever be. */
  nextActive(from: Instant): Instant | null
}

/** A compiled calendar. */
export interface Calendar {
  /**
   * Returns the active time of the calendar by the clocks of a zone.
   *
   * @param zone name of the list of time zones, or an IANA name; null is UTC
   * @throws RangeError when there is no such zone
   */
  in(zone: string | null): WorkingTime
}

/**
 * Compiles what a calendar says now. Takes microseconds, so that calendars are read and compiled for each use and never kept
 * beyond a transaction: another process may change them.
 */
export type CompileCalendar = (times: CalendarTimes) => Calendar

const ALL_TIME = workingTimeOf({
  between: (from, until) => Math.max(0, until - from),
  after: (from, seconds) => from + seconds,
})

/** The calendar of records that have none: always active, in all zones. */
export const AROUND_THE_CLOCK: Calendar = Object.freeze({ in: () => ALL_TIME })

/** Maximum number of names of zones that are kept. There are about 600; Intl takes each in any mix of cases. */
const MAX_ZONES = 1_000

/** Creates a compiler, which keeps the changes of clocks that it finds: they take milliseconds to find, and stay as they are. */
export function createCompileCalendar(): CompileCalendar {
  const clocks = new Map<string, ZoneClock>()
  const clockOf = (name: string): ZoneClock => {
    const known = clocks.get(name)
    if (known) return known
    const given = zoneOf(name)
    if (given === undefined) throw new RangeError(`There is no time zone '${name}'`)
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: given }).resolvedOptions()
    const clock = clocks.get(timeZone) ?? createZoneClock(timeZone)
    if (clocks.size >= MAX_ZONES) clocks.clear()
    clocks.set(timeZone, clock).set(name, clock)
    return clock
  }
  return (times) => {
    const week = compileWeek(times)
    return { in: (zone) => workingTimeOf(countIn(week, clockOf(zone ?? 'UTC'))) }
  }
}

/** Counts in seconds since 1970. */
interface Counting {
  between(from: number, until: number): number
  /** The first second at which so many have passed, which are not 0; null when they never will. */
  after(from: number, seconds: number): number | null
}

function countIn({ activeUntil, isEmpty }: Week, clock: ZoneClock): Counting {
  return {
    between(from, until) {
      if (isEmpty || until <= from) return 0
      let sum = 0
      let start = from
      for (const { until: change, offset } of clock.spansFrom(from)) {
        const end = Math.min(change, until)
        sum += activeUntil(end + offset) - activeUntil(start + offset)
        if (end === until) break
        start = end
      }
      return sum
    },
    after(from, seconds) {
      if (isEmpty) return null
      let left = seconds
      let start = from
      for (const { until, offset } of clock.spansFrom(from)) {
        const before = activeUntil(start + offset)
        const within = activeUntil(until + offset) - before
        if (within >= left) return firstTime(start, until, (time) => activeUntil(time + offset) - before >= left)
        left -= within
        start = until
      }
      return null
    },
  }
}

function workingTimeOf({ after, between }: Counting): WorkingTime {
  return {
    secondsBetween: (from, until) => between(timeOf(from), timeOf(until)),
    minutesBetween: (from, until) => Math.floor(between(timeOf(from), timeOf(until)) / 60),
    instantAfter(from, minutes) {
      if (!(minutes >= 0)) throw new RangeError(`There are no ${minutes} minutes`)
      const seconds = Math.round(minutes * 60)
      return seconds === 0 ? from : instantOf(after(timeOf(from), seconds))
    },
    nextActive(from) {
      const end = after(timeOf(from), 1)
      return instantOf(end === null ? null : end - 1)
    },
  }
}

/** The first whole second after `low`, and not after `high`, for which the test holds; it holds for all later ones. */
function firstTime(low: number, high: number, holds: (time: number) => boolean): number {
  let [before, after] = [low, high]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (holds(middle)) after = middle
    else before = middle
  }
  return after
}

function timeOf(moment: Instant): number {
  return Date.parse(moment) / 1000
}

function instantOf(time: number | null): Instant | null {
  return time === null || time >= END_OF_TIME ? null : `${new Date(time * 1000).toISOString().slice(0, 19)}Z`
}
