import type { Unit } from './time-scale.js'

/** Texts of a scale. */
interface ScaleLabels {
  mark(unit: Unit, time: number): string
  range(from: number, to: number): string
}

/** Texts of scales, as people write times. */
export function labelsOf(locale: string): ScaleLabels {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
  const days = format({ day: 'numeric', month: 'short' })
  const formats = {
    hour: format({ hour: '2-digit', minute: '2-digit' }),
    day: days,
    week: days,
    month: format({ month: 'short', year: 'numeric' }),
    year: format({ year: 'numeric' }),
  }
  const whole = format({ dateStyle: 'medium' })
  return {
    mark: (unit, time) => {
      const date = new Date(time)
      return (unit === 'hour' && date.getHours() === 0 ? days : formats[unit]).format(date)
    },
    range: (from, to) => whole.formatRange(from, to),
  }
}
