/** When something happens again, as a sentence in the language of the reader. */
import type { Output } from '../core/api.js'
import type { TextKey } from '../core/texts.js'
import { clockText, dayOfWeekName, listOf, listText, monthName } from '../core/time-words.js'
import { type App, useApp } from '../core/use-app.js'

const EVERY: Readonly<Record<string, TextKey>> = {
  daily: 'recurs_days',
  weekly: 'recurs_weeks',
  monthly: 'recurs_months',
  yearly: 'recurs_years',
}
/** Days of the week as the API names them, from 0. */
export const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** What is in the sentence. */
const IN_SENTENCE: ReadonlySet<string> = new Set([
  ...['id', 'frequency', 'interval', 'disabled', 'time_of_day', 'time_zone', 'start_date', 'end_date', 'ical'],
  ...['day', 'day_of_month', 'day_of_week', 'day_of_week_index', 'day_of_week_day', 'month_of_year'],
])

/** True if a value says when something happens again. */
export function isRecurrence(value: Output): boolean {
  return typeof value['frequency'] === 'string' && typeof value['time_of_day'] === 'string' && 'interval' in value
}

/** What the sentence leaves to be shown: the last occurrence, and the next one. */
export function besideSentence(value: Output): Output {
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !IN_SENTENCE.has(name) && one !== null))
}

export function Recurrence({ value }: { value: Output }) {
  const app = useApp()
  return (
    <p>
      {sentenceOf(value, app)}
      {value['disabled'] === true && (
        <>
          {' '}
          <span class="chip ended">{app.t('disabled')}</span>
        </>
      )}
    </p>
  )
}

/** Parts that stand side by side: languages differ in how they would join them otherwise. */
function sentenceOf(value: Output, app: App): string {
  const { catalog, date, locale, number, t } = app
  const { end_date: end, frequency, start_date: start } = value
  const every = EVERY[String(frequency)]
  const interval = Number(value['interval'])
  const label = catalog.valueLabel('recurrence.frequency', String(frequency))
  const parts = [
    every && interval > 1 ? t(every, { count: number(interval) }) : label,
    ...(every ? daysOf(value, app) : []),
    ...(frequency === 'yearly' ? monthsOf(value, app) : []),
    t('recurs_at', { time: clockText(locale, String(value['time_of_day'])), zone: String(value['time_zone'] ?? '') }),
    typeof start === 'string' ? t(every ? 'recurs_from' : 'recurs_once', { date: date(start) }) : '',
    every && typeof end === 'string' ? t('recurs_until', { date: date(end) }) : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Settings of other frequencies may still be stored: they have no effect. Without any, the days are that of the start. */
function daysOf(value: Output, { catalog, locale, number, t }: App): readonly string[] {
  if (value['frequency'] === 'daily' || value['frequency'] === 'weekly') {
    const days = listOf(value['day']).map((day) => dayOfWeekName(locale, Number(day)))
    return days.length > 0 ? [t('recurs_on', { days: listText(locale, days) })] : []
  }
  if (value['day_of_week'] === true) {
    const nth = catalog.valueLabel('recurrence.day_of_week_index', String(value['day_of_week_index']))
    const names = listOf(value['day_of_week_day']).map((day) => dayOfWeekName(locale, DAY_NAMES.indexOf(day)))
    return [`${nth.toLocaleLowerCase(locale)} ${listText(locale, names)}`]
  }
  const days = listOf(value['day_of_month']).map((day) => (day === '-1' ? t('recurs_last_day') : number(Number(day))))
  return days.length > 0 ? [t('recurs_month_days', { days: listText(locale, days) })] : []
}

function monthsOf(value: Output, { locale, t }: App): readonly string[] {
  const months = listOf(value['month_of_year']).map((month) => monthName(locale, Number(month)))
  return months.length > 0 ? [t('recurs_in', { months: listText(locale, months) })] : []
}
