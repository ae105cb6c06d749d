/** Active minutes of calendars, counted one by one: slow, but easy to verify. */
import type { CalendarTimes } from '../../plugin/core/time/week.js'

const MINUTE = 60_000
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** The wall time of a zone in each minute of some years: minutes since 1970-01-01T00:00 by its clocks. */
export interface Minutes {
  readonly start: number
  readonly end: number
  readonly local: Int32Array
}

/** Reads the wall time from Intl: every six hours, and each minute between two of these with a clock change. */
export function minutesOf(zone: string, firstYear: number, years: number): Minutes {
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  })
  const shown = (time: number) => {
    const [day = '', month, year, hour, minute] = form.format(time).match(/\d+/g) ?? []
    return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / MINUTE
  }
  const [start, end] = [Date.UTC(firstYear, 0, 1), Date.UTC(firstYear + years, 0, 1)]
  const local = new Int32Array((end - start) / MINUTE)
  const STEP = 360
  let now = shown(start)
  for (let index = 0; index < local.length; index += STEP) {
    const next = shown(start + (index + STEP) * MINUTE)
    for (let more = 0; more < STEP; more += 1) {
      local[index + more] = next - now === STEP ? now + more : shown(start + (index + more) * MINUTE)
    }
    now = next
  }
  return { start, end, local }
}

/** Active minutes before each minute of the years. */
export function activeMinutes({ local }: Minutes, { hours, holidays }: CalendarTimes): Int32Array {
  const week = new Uint8Array(7 * 1440)
  for (const { weekday, time_from, time_until } of hours) {
    const day = DAYS.indexOf(weekday) * 1440
    week.fill(1, day + minuteOf(time_from), day + minuteOf(time_until))
  }
  const [first = 0, last = 0] = [local[0], local[local.length - 1]]
  // Clocks may be set back in the first and in the last days.
  const begin = first - 2880
  const closed = new Uint8Array(last - begin + 2880)
  for (const { start_at, end_at } of holidays) {
    const [from, until] = [start_at, end_at].map((text) => Date.parse(`${text}:00Z`) / MINUTE - begin)
    if ((until ?? 0) > 0) closed.fill(1, Math.max(from ?? 0, 0), until)
  }
  const sums = new Int32Array(local.length + 1)
  let sum = 0
  for (let index = 0; index < local.length; index += 1) {
    const shown = local[index] ?? 0
    // 1970 began on a Thursday.
    const inWeek = (shown + 3 * 1440) % (7 * 1440)
    if (week[inWeek] === 1 && closed[shown - begin] === 0) sum += 1
    sums[index + 1] = sum
  }
  return sums
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** A small generator of numbers from 0 to 1 (mulberry32): the same everywhere for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
