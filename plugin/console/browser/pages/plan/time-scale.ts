/** The scale of a timeline: hours, days, weeks, months or years, by what fits. In pixels; the calendar is that of the browser. */

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'year'

export interface Mark {
  readonly time: number
  readonly x: number
}

export interface TimeScale {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly unit: Unit
  readonly marks: readonly Mark[]
  /** The place of a time between `from` and `to`. */
  at(time: number): number
}

interface Step {
  readonly unit: Unit
  readonly count: number
}

const HOUR = 3_600_000
const LENGTHS: Readonly<Record<Unit, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
  month: 30 * 24 * HOUR,
  year: 365 * 24 * HOUR,
}
const step = (unit: Unit) => (count: number) => ({ unit, count })
const STEPS: readonly Step[] = [
  ...[1, 3, 6, 12].map(step('hour')),
  ...[1, 2].map(step('day')),
  ...[1, 2].map(step('week')),
  ...[1, 3].map(step('month')),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000].map(step('year')),
]
const MOST_MARKS = 36
const MARK_WIDTH = 76
const LEAST_WIDTH = 760
/** The last times of the calendar of browsers. */
const MOST = 8_640_000_000_000_000

/** The scale that shows all of these times; null without any. */
export function scaleFor(times: readonly number[]): TimeScale | null {
  const known = times.filter((time) => Math.abs(time) <= MOST)
  if (known.length === 0) return null
  const first = known.reduce((least, time) => Math.min(least, time))
  const last = known.reduce((most, time) => Math.max(most, time))
  const chosen =
    STEPS.find(({ count, unit }) => (last - first) / (LENGTHS[unit] * count) <= MOST_MARKS - 2) ?? step('year')(10_000)
  const borders = bordersOf(chosen, first, last)
  const [from, to] = [Math.min(first, borders[0] ?? first), Math.max(last, borders.at(-1) ?? last)]
  const width = Math.max(LEAST_WIDTH, (borders.length - 1) * MARK_WIDTH)
  const at = (time: number) => (to === from ? 0 : ((time - from) / (to - from)) * width)
  return { from, to, width, unit: chosen.unit, marks: borders.map((time) => ({ time, x: at(time) })), at }
}

/** The border at or before the first time, and all that follow, up to one after the last time. */
function bordersOf(chosen: Step, first: number, last: number): readonly number[] {
  const borders = [startOf(chosen, first)]
  // Clocks that are set back make a step longer, never none.
  while ((borders.at(-1) ?? 0) <= last && borders.length <= 2 * MOST_MARKS) {
    const next = following(chosen, borders.at(-1) ?? 0)
    if (!(next > (borders.at(-1) ?? 0))) break
    borders.push(next)
  }
  return borders
}

function startOf({ count, unit }: Step, time: number): number {
  const date = new Date(time)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  if (unit === 'hour') return dateOf(year, month, day, Math.floor(date.getHours() / count) * count)
  if (unit === 'day') return dateOf(year, month, day)
  // Weeks begin on Monday.
  if (unit === 'week') return dateOf(year, month, day - ((date.getDay() + 6) % 7))
  if (unit === 'month') return dateOf(year, Math.floor(month / count) * count)
  return dateOf(Math.floor(year / count) * count)
}

function following({ count, unit }: Step, time: number): number {
  const date = new Date(time)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  if (unit === 'hour') return Math.max(dateOf(year, month, day, date.getHours() + count), time + HOUR)
  if (unit === 'day') return dateOf(year, month, day + count)
  if (unit === 'week') return dateOf(year, month, day + 7 * count)
  return unit === 'month' ? dateOf(year, month + count) : dateOf(year + count)
}

/** Midnight, or a full hour, also of years below 100. */
function dateOf(year: number, month = 0, day = 1, hours = 0): number {
  const date = new Date(2000, 0, 1)
  date.setFullYear(year, month, day)
  date.setHours(hours)
  return date.getTime()
}
