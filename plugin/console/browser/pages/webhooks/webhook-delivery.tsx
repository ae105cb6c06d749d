/** One delivery of a webhook: what was sent, and what came back. */
import { pageOf } from '../../core/record-name.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Link, Loading, Problem } from '../../parts/basics.js'

export interface Delivery {
  readonly id: number
  readonly event: string
  readonly object_id: number
  /** Of a test the id is made up. */
  readonly test: boolean
  readonly state: 'waiting' | 'sent' | 'failed' | 'dropped'
  readonly attempts: number
  readonly created_at: string
  readonly next_at: string | null
  readonly last_error: string | null
}

interface Whole extends Delivery {
  readonly request: {
    readonly method: string
    readonly uri: string
    readonly headers: { readonly [name: string]: string }
    readonly body: string
  } | null
  readonly log: readonly {
    readonly at: string
    readonly milliseconds: number
    readonly status: number | null
    readonly reason: string | null
    readonly answer: string | null
  }[]
}

const TONES: Readonly<Record<Delivery['state'], string>> = {
  waiting: 'waiting',
  sent: 'done',
  failed: 'failing',
  dropped: 'ended',
}

export function StateMark({ delivery: { attempts, state } }: { delivery: Delivery }) {
  const { t } = useApp()
  // It was sent, and refused: what waits is only another attempt.
  if (state === 'waiting' && attempts > 0) return <span class="chip failing">{t('state_retrying')}</span>
  return <span class={`chip ${TONES[state]}`}>{t(`state_${state}`)}</span>
}

/** The record that an event is about: `request.create` and its number. */
function RecordOfEvent({ delivery: { event, object_id } }: { delivery: Delivery }) {
  const { catalog } = useApp()
  const type = catalog.typeNamed(event.split('.')[0] ?? '')
  const page = pageOf(type, object_id)
  return page === null ? null : (
    <p>
      <Link to={page}>{`${type?.label} #${object_id}`}</Link>
    </p>
  )
}

/** @param path of the delivery @param version its number of attempts: it is read again when there are more */
export function DeliveryDetails({ path, version }: { path: string; version: number }) {
  const { api, number, t, time } = useApp()
  const { data, error, reload } = useLoaded(`${path} ${version}`, (signal) => api.get<Whole>(path, signal))
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <div class="exchange">
      {!data.test && <RecordOfEvent delivery={data} />}
      <h3>{t('attempts_title')}</h3>
      {data.log.length === 0 && <p class="help">{t('no_attempts')}</p>}
      <ol>
        {data.log.map((one) => (
          <li key={one.at}>
            <p>
              <time dateTime={one.at}>{time(one.at)}</time> · {one.reason ?? one.status ?? t('state_sent')} ·{' '}
              {number(one.milliseconds)} ms
            </p>
            {one.answer && <pre>{one.answer}</pre>}
          </li>
        ))}
      </ol>
      {data.request && (
        <>
          <h3>{t('sent_title')}</h3>
          <pre>
            {`${data.request.method} ${data.request.uri}\n`}
            {Object.entries(data.request.headers)
              .map(([name, value]) => `${name}: ${value}\n`)
              .join('')}
            {`\n${readable(data.request)}`}
          </pre>
        </>
      )}
    </div>
  )
}

/** The body as people read it: a form line by line, without its escapes. */
function readable({ body, headers }: NonNullable<Whole['request']>): string {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return body
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}: ${value}`).join('\n')
}
