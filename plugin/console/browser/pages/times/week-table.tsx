/** A week drawn: for each day its hours, as text and as bars on a scale of 24 hours. */
import { amountText, hoursText, minutesIn, type Weekday, weekdayName, weekOf } from '../../core/time-words.js'
import { useApp } from '../../core/use-app.js'
import { type Hours, minutesOf } from './week-hours.js'

const MARKS = [0, 6, 12, 18, 24] as const

export function WeekTable({ rows }: { rows: readonly Hours[] }) {
  const { locale, t } = useApp()
  return (
    <>
      <table class="week">
        <thead>
          <tr>
            <th scope="col">{t('times_day')}</th>
            <th scope="col">{t('times_hours')}</th>
            <td aria-hidden="true">
              <div class="scale">
                {MARKS.map((mark) => (
                  <span key={mark}>{mark}</span>
                ))}
              </div>
            </td>
          </tr>
        </thead>
        <tbody>
          {weekOf(locale).map((day) => (
            <Day key={day} day={day} rows={rows.filter(({ weekday }) => weekday === day)} />
          ))}
        </tbody>
      </table>
      <p class="help">{t('times_in_week', { amount: amountText(locale, minutesOf(rows, minutesIn)) })}</p>
    </>
  )
}

function Day({ day, rows }: { day: Weekday; rows: readonly Hours[] }) {
  const app = useApp()
  return (
    <tr>
      <th scope="row">{weekdayName(app.locale, day)}</th>
      <td class="text">
        {rows.length === 0 ? (
          <span class="closed">{app.t('times_closed')}</span>
        ) : (
          <ul>
            {rows.map(({ time_from, time_until }) => (
              <li key={time_from}>{hoursText(app, time_from, time_until)}</li>
            ))}
          </ul>
        )}
      </td>
      <td class="bar" aria-hidden="true">
        <DayBar rows={rows} />
      </td>
    </tr>
  )
}

/** Stretched to the width of its cell; a minute is a unit of it. */
function DayBar({ rows }: { rows: readonly Hours[] }) {
  return (
    <svg class="day-bar" viewBox="0 0 1440 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width="1440" height="10" />
      {rows.map(({ time_from, time_until }) => {
        const from = minutesIn(time_from)
        return <rect key={time_from} class="hours" x={from} width={Math.max(0, minutesIn(time_until) - from)} height="10" />
      })}
      {[360, 720, 1080].map((mark) => (
        <line key={mark} x1={mark} x2={mark} y1="0" y2="10" vector-effect="non-scaling-stroke" />
      ))}
    </svg>
  )
}
