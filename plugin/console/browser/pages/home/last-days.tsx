/** The last thirty days as small charts: how many records have begun, or ended, on each. */

import { daysAgo, daysBetween } from '../../core/calendar-days.js'
import type { Field, RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Problem } from '../../parts/basics.js'

/** What is counted, if the person may read it: times of types. */
const COUNTED: readonly (readonly [type: string, field: string])[] = [
  ['request', 'created_at'],
  ['request', 'completed_at'],
  ['change', 'completed_at'],
  ['problem', 'created_at'],
]
const DAYS = 30
/** Of the drawing: it is stretched to the width that there is. */
const [STEP, BAR, HEIGHT] = [10, 7, 48]

interface Counts {
  readonly total: number
  readonly groups: readonly { readonly values: Readonly<Record<string, string>>; readonly count: number }[]
}

export function LastDays() {
  const { allowances, catalog, t } = useApp()
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const charts = COUNTED.flatMap(([name, time]) => {
    const type = catalog.typeNamed(name)
    const field = type?.fields.find((one) => one.name === time)
    return type && field?.countable && readable?.has(name) ? [{ type, field }] : []
  })
  if (charts.length === 0) return null
  return (
    <section>
      <h2>{t('last_days', { count: DAYS })}</h2>
      <div class="charts">
        {charts.map(({ field, type }) => (
          <Chart key={`${type.name} ${field.name}`} type={type} field={field} />
        ))}
      </div>
    </section>
  )
}

function Chart({ type, field }: { type: RecordType; field: Field }) {
  const { api, date, locale, number, t } = useApp()
  const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const from = daysAgo(DAYS - 1)
  const path = `${type.path}/counts?by=${field.name}:day&from=${from}`
  const { data, error, reload } = useLoaded(path, (signal) => api.get<Counts>(path, signal))
  if (error !== undefined) return <Problem error={error} retry={reload} />
  const counts = new Map(data?.groups.map(({ count, values }) => [values[field.name] ?? '', count]))
  const days = daysBetween(from, daysAgo(0)).map((day) => ({ day, count: counts.get(day) ?? 0 }))
  const most = Math.max(1, ...days.map(({ count }) => count))
  const title = `${type.label_of_many}: ${field.label}`
  return (
    <figure class="chart" aria-busy={data === undefined}>
      <figcaption>
        {title} <strong>{data ? number(data.total) : '…'}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ count, day }, index) => {
          // A single record is seen beside thousands.
          const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT)
          return (
            <rect key={day} class={count === 0 ? 'none' : ''} x={index * STEP} y={HEIGHT - height} width={BAR} height={height}>
              <title>{`${date(day)}: ${number(count)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="scale">
        <span>{short.format(new Date(from))}</span>
        <span>{t('most_a_day', { count: number(most) })}</span>
        <span>{short.format(new Date(daysAgo(0)))}</span>
      </p>
      <ul class="hidden">
        {days
          .filter(({ count }) => count > 0)
          .map(({ count, day }) => (
            <li key={day}>{`${date(day)}: ${number(count)}`}</li>
          ))}
      </ul>
    </figure>
  )
}
