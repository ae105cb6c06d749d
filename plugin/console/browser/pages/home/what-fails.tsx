/** For administrators: deliveries that were given up and imports with failures, of the last week. */
import { atStart, daysAgo } from '../../core/calendar-days.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Link, Problem } from '../../parts/basics.js'

const DAYS = 7
const SHOWN = 3
/** Deliveries among which the receivers are found. */
const LOOKED_AT = 100

interface Delivery {
  readonly id: number
  readonly channel: string
  readonly webhook?: { readonly id: number; readonly name: string }
  readonly target: string
  readonly last_error: string | null
  readonly finished_at: string | null
}
interface Import {
  readonly id: number
  readonly file_name: string
  readonly state: string
  readonly dry_run: boolean
  readonly created_at: string
  readonly results: { readonly failures: number; readonly errors: number }
}

export function WhatFails() {
  const { api, number, t, time } = useApp()
  const since = atStart(daysAgo(DAYS))
  const { data, error, reload } = useLoaded('what fails', async (signal) => {
    const [deliveries, imports] = await Promise.all([
      api.call<readonly Delivery[]>('GET', `/deliveries?state=failed&created_at=>=${since}&per_page=${LOOKED_AT}`, { signal }),
      api.get<readonly Import[]>('/imports?per_page=20', signal),
    ])
    return {
      receivers: receiversOf(deliveries.data),
      total: Number(deliveries.headers.get('X-Pagination-Total-Entries') ?? 0),
      imports: imports.filter((one) => one.created_at >= since && hasFailed(one)).slice(0, SHOWN),
    }
  })
  if (error !== undefined) return <Problem error={error} retry={reload} />
  if (!data || data.total + data.imports.length === 0) return null
  return (
    <section>
      <h2>{t('what_fails')}</h2>
      <ul class="parts">
        {data.receivers.slice(0, SHOWN).map(({ count, newest }) => (
          <li key={`delivery ${newest.id}`}>
            <p>
              <Receiver delivery={newest} />
            </p>
            <p class="by">
              {`${t('state_failed')}: ${number(count)}`}
              {newest.finished_at && (
                <>
                  {' · '}
                  <time dateTime={newest.finished_at}>{time(newest.finished_at)}</time>
                </>
              )}
              {newest.last_error && ` · ${newest.last_error}`}
            </p>
          </li>
        ))}
        {data.imports.map((one) => (
          <li key={`import ${one.id}`}>
            <p>
              <Link to={`/imports/${one.id}`}>{one.file_name || `#${one.id}`}</Link>
            </p>
            <p class="by">
              {one.state === 'error' ? t('import_error') : `${t('import_failures')}: ${number(failures(one))}`}
              {' · '}
              <time dateTime={one.created_at}>{time(one.created_at)}</time>
            </p>
          </li>
        ))}
      </ul>
      {data.receivers.length > SHOWN && (
        <p class="help">
          <Link to="/webhooks">{t('and_more', { count: number(data.receivers.length - SHOWN) })}</Link>
        </p>
      )}
      {data.total > LOOKED_AT && <p class="help">{t('failed_in_all', { count: number(data.total) })}</p>}
    </section>
  )
}

/** Each receiver once, with its newest failure. */
function receiversOf(deliveries: readonly Delivery[]): readonly { readonly newest: Delivery; readonly count: number }[] {
  const receivers = new Map<string, { readonly newest: Delivery; readonly count: number }>()
  for (const delivery of deliveries) {
    const key = `${delivery.channel} ${delivery.target}`
    const { count, newest } = receivers.get(key) ?? { count: 0, newest: delivery }
    receivers.set(key, { newest, count: count + 1 })
  }
  return [...receivers.values()]
}

function Receiver({ delivery: { channel, target, webhook } }: { delivery: Delivery }) {
  const { catalog } = useApp()
  if (!webhook) return <>{`${channel} ${target}`}</>
  const label = catalog.typeNamed('webhook')?.label ?? channel
  return <Link to={`/webhooks/${webhook.id}`}>{`${label} ${webhook.name || `#${webhook.id}`}`}</Link>
}

function failures({ results }: Import): number {
  return results.failures + results.errors
}

/** Dry runs are there to find mistakes. */
function hasFailed(one: Import): boolean {
  return !one.dry_run && (one.state === 'error' || failures(one) > 0)
}
