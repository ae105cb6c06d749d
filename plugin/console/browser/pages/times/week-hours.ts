/** The hours of a calendar as rows: in the form in which they are typed, and in that of the API. */
import type { Json } from '../../core/api.js'
import { WEEKDAYS, type Weekday } from '../../core/time-words.js'

/** `{ weekday: 'mon', time_from: '08:00', time_until: '24:00' }` */
export type Hours = {
  readonly weekday: Weekday
  readonly time_from: string
  readonly time_until: string
}

/** The rows in a value of the API. */
export function hoursIn(value: Json | undefined): readonly Hours[] {
  return Array.isArray(value) ? (value as readonly Hours[]) : []
}

/** In the order of the week; within a day, as they stand. */
export function inOrder(rows: readonly Hours[]): readonly Hours[] {
  return WEEKDAYS.flatMap((day) => rows.filter(({ weekday }) => weekday === day))
}

/** Another row for a day: after the last one, or the hours of an office. */
export function withRow(rows: readonly Hours[], weekday: Weekday): readonly Hours[] {
  const last = rows.filter((row) => row.weekday === weekday).at(-1)
  const added = { weekday, time_from: last?.time_until ?? '09:00', time_until: last ? '' : '17:00' }
  return inOrder([...rows, added])
}

/** One day gets the hours of another one. */
export function withDayAs(rows: readonly Hours[], weekday: Weekday, as: Weekday): readonly Hours[] {
  const copied = rows.filter((row) => row.weekday === as).map((row) => ({ ...row, weekday }))
  return inOrder([...rows.filter((row) => row.weekday !== weekday), ...copied])
}

/** True if two days have the same hours. */
export function areSame(rows: readonly Hours[], one: Weekday, other: Weekday): boolean {
  const textOf = (day: Weekday) =>
    JSON.stringify(rows.filter(({ weekday }) => weekday === day).map((row) => [row.time_from, row.time_until]))
  return textOf(one) === textOf(other)
}

/** True if two weeks have the same hours, in whatever order. */
export function haveSame(some: readonly Hours[], others: readonly Hours[]): boolean {
  const textsOf = (rows: readonly Hours[]) => rows.map((row) => `${row.weekday} ${row.time_from} ${row.time_until}`)
  return textsOf(some).toSorted().join() === textsOf(others).toSorted().join()
}

/** Minutes of active time in these rows. */
export function minutesOf(rows: readonly Hours[], minutesIn: (time: string) => number): number {
  return rows.reduce((sum, row) => sum + Math.max(0, minutesIn(row.time_until) - minutesIn(row.time_from)), 0)
}
