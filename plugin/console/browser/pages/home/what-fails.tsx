/** For administrators: deliveries that were given up and imports with failures, of the last week. */
import { atStart, daysAgo } from '../../core/calendar-days.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Link, Problem } from '../../parts/basics.js'
import { Nothing } from '../../parts/value.js'

const DAYS = 7
const SHOWN = 3

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
      api.call<readonly Delivery[]>('GET', `/deliveries?state=failed&created_at=>=${since}&per_page=${SHOWN}`, { signal }),
      api.get<readonly Import[]>('/imports?per_page=20', signal),
    ])
    return {
      deliveries: deliveries.data,
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
        {data.deliveries.map((one) => (
          <li key={`delivery ${one.id}`}>
            <p>
              {one.webhook ? (
                <Link to={`/webhooks/${one.webhook.id}`}>{one.webhook.name || `#${one.webhook.id}`}</Link>
              ) : (
                one.target
              )}
            </p>
            <p class="by">
              {t('state_failed')}
              {' · '}
              {one.finished_at ? <time dateTime={one.finished_at}>{time(one.finished_at)}</time> : <Nothing />}
              {one.last_error && ` · ${one.last_error}`}
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
      {data.total > data.deliveries.length && (
        <p class="help">{t('and_more', { count: number(data.total - data.deliveries.length) })}</p>
      )}
    </section>
  )
}

function failures({ results }: Import): number {
  return results.failures + results.errors
}

/** Dry runs are there to find mistakes. */
function hasFailed(one: Import): boolean {
  return !one.dry_run && (one.state === 'error' || failures(one) > 0)
}
