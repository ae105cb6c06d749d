/** Days of the reader's calendar, as `2026-11-27`. */

/** The day so many days before today. */
export function daysAgo(count: number): string {
  const day = new Date()
  day.setDate(day.getDate() - count)
  return dayOf(day)
}

/** The time at which a day begins, or the one that many days later; the day itself if it is none. */
export function atStart(day: string, later = 0): string {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(year, month - 1, date + later)
  return Number.isNaN(start.getTime()) ? day : start.toISOString()
}

/** All days from one to another. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = []
  const [year = 0, month = 1, date = 1] = from.split('-').map(Number)
  for (let next = from, count = 1; next <= to && days.length < 400; count++) {
    days.push(next)
    next = dayOf(new Date(year, month - 1, date + count))
  }
  return days
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
