/** The last thirty days as small charts: how many records have begun, or ended, on each. */

import { daysAgo, daysBetween } from '../../core/calendar-days.js'
import type { Field, RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Loading, Problem } from '../../parts/basics.js'

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
  const { allowances, api, catalog, t } = useApp()
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const counted = COUNTED.flatMap(([name, time]) => {
    const type = catalog.typeNamed(name)
    const field = type?.fields.find((one) => one.name === time)
    return type && field?.countable && readable?.has(name) ? [{ type, field }] : []
  })
  const from = daysAgo(DAYS - 1)
  // One after the other: a desk takes so many calls in two seconds, and the lists above come first.
  const key = counted.length > 0 ? `${from} ${counted.map(({ field, type }) => `${type.name}.${field.name}`)}` : null
  const { data, error, reload } = useLoaded(key, async (signal) => {
    const charts: ChartProps[] = []
    for (const { field, type } of counted) {
      const counts = await api.get<Counts>(`${type.path}/counts?by=${field.name}:day&from=${from}`, signal)
      charts.push({ type, field, from, counts })
    }
    return charts
  })
  if (key === null) return null
  return (
    <section>
      <h2>{t('last_days', { count: DAYS })}</h2>
      {error !== undefined ? (
        <Problem error={error} retry={reload} />
      ) : data ? (
        <div class="charts">
          {data.map((chart) => (
            <Chart key={`${chart.type.name} ${chart.field.name}`} {...chart} />
          ))}
        </div>
      ) : (
        <Loading />
      )}
    </section>
  )
}

interface ChartProps {
  readonly type: RecordType
  readonly field: Field
  readonly from: string
  readonly counts: Counts
}

function Chart({ type, field, from, counts: { groups, total } }: ChartProps) {
  const { date, locale, number, t } = useApp()
  const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const counts = new Map(groups.map(({ count, values }) => [values[field.name] ?? '', count]))
  // Days are those of the person's own time zone, where tomorrow may have begun.
  const last = counts.has(daysAgo(-1)) ? daysAgo(-1) : daysAgo(0)
  const days = daysBetween(from, last).map((day) => ({ day, count: counts.get(day) ?? 0 }))
  const most = Math.max(1, ...days.map(({ count }) => count))
  const title = `${type.label_of_many}: ${field.label}`
  return (
    <figure class="chart">
      <figcaption>
        {title} <strong>{number(total)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
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
      <p class="chart-scale">
        <span>{short.format(new Date(from))}</span>
        <span>{t('most_a_day', { count: number(most) })}</span>
        <span>{short.format(new Date(last))}</span>
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
