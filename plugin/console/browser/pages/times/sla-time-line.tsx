/** The service levels of a request: the targets of each affected SLA, what became of them, and when the clock stood still. */
import { useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import { amountText, distanceText } from '../../core/time-words.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Link, Loading, Problem } from '../../parts/basics.js'
import { Reference, Value } from '../../parts/value.js'
import type { ExtraProps } from '../page-props.js'
import { Mark, SlaDrawing } from './sla-drawing.js'
import { isAffected, momentIn, momentsOf, resolutionState, responseState, type State } from './sla-states.js'

const PER_PAGE = 100
const STATES = {
  met: ['done', 'sla_met'],
  late: ['failing', 'sla_late'],
  open: ['going', 'sla_open'],
  paused: ['waiting', 'sla_paused'],
  none: ['ended', 'no_target'],
} as const

/** On the page of a request, read when it is opened. */
export function SlaTimeLine({ path, record }: Pick<ExtraProps, 'path' | 'record'>) {
  const { allowances, t } = useApp()
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const [isOpen, setOpen] = useState(false)
  if (!readable?.has('affected_sla')) return null
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('sla_time_line')}</h2>
      </summary>
      {isOpen && <Lines path={path} request={record} />}
    </details>
  )
}

function Lines({ path, request }: { path: string; request: Output }) {
  const { api, t } = useApp()
  const { data, error, reload } = useLoaded(`${path}/affected_slas ${request['updated_at']}`, async (signal) => {
    const { data: found, headers } = await api.call<readonly Output[]>(
      'GET',
      `${path}/affected_slas?sort=id&per_page=${PER_PAGE}`,
      { signal },
    )
    return { found, total: Number(headers.get('X-Pagination-Total-Entries') ?? found.length), now: Date.now() }
  })
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  if (data.found.length === 0) return <p class="help">{whyNone(request, t)}</p>
  // What still counts comes first.
  const inOrder = [...data.found.filter(isAffected), ...data.found.filter((one) => !isAffected(one))]
  return (
    <ul class="slas">
      {inOrder.map((one) => (
        <li key={String(one['id'])}>
          <Line record={one} now={data.now} hasHeading />
        </li>
      ))}
      {data.total > data.found.length && <li>{t('and_more', { count: data.total - data.found.length })}</li>}
    </ul>
  )
}

/** Who may not read the service instance of a request is not told that it has none. */
function whyNone({ service_instance: instance }: Output, t: ReturnType<typeof useApp>['t']): string {
  if (instance === null) return t('sla_no_instance')
  const { name } = Object(instance) as { readonly name?: unknown }
  return typeof name === 'string' ? t('sla_no_agreement', { name }) : t('sla_none')
}

/** On the page of an affected SLA, of what is known there. */
export function AffectedSla({ record }: Pick<ExtraProps, 'record'>) {
  const { t } = useApp()
  const [now] = useState(() => Date.now())
  return (
    <section>
      <h2>{t('sla_time_line')}</h2>
      <div class="slas">
        <Line record={record} now={now} />
      </div>
    </section>
  )
}

function Line({ record, now, hasHeading = false }: { record: Output; now: number; hasHeading?: boolean }) {
  const { catalog, locale, t, time } = useApp()
  const type = catalog.typeNamed('affected_sla')
  const fieldOf = (name: string) => type?.fields.find((field) => field.name === name)
  const [accountability, next] = [fieldOf('accountability'), fieldOf('next_target_at')]
  const moments = momentsOf(record, now)
  return (
    <article class="sla">
      <header>
        {hasHeading && (
          <h3>
            <Reference record={Object(record['sla']) as Output} type="sla" />
          </h3>
        )}
        {accountability && typeof record['accountability'] === 'string' && (
          <span class="accountability">
            <span class="hidden">{accountability.label}: </span>
            {catalog.valueLabel(accountability.enumeration ?? '', record['accountability'])}
          </span>
        )}
        {hasHeading && type?.path && <Link to={`${type.path}/${record['id']}`}>#{String(record['id'])}</Link>}
      </header>
      {isAffected(record) ? (
        <p class="states">
          <Chip name="sla_response" state={responseState(record, now)} />
          <Chip name="sla_resolution" state={resolutionState(record, now)} />
        </p>
      ) : (
        <p class="help">{t('sla_not_affected')}</p>
      )}
      <SlaDrawing record={record} moments={moments} />
      <dl class="moments">
        {moments.map(({ at, name }) => (
          <div key={name}>
            <dt>
              <Mark name={name} />
              {name === 'now' ? t('sla_now') : (fieldOf(name)?.label ?? name)}
            </dt>
            <dd>
              <time dateTime={new Date(at).toISOString()}>{time(new Date(at).toISOString())}</time>
              {name !== 'now' && <span class="distance"> {distanceText(locale, at, now)}</span>}
              <Took record={record} name={name} />
            </dd>
          </div>
        ))}
        {next && record['next_target_at'] !== null && record['next_target_at'] !== undefined && (
          <div>
            <dt>{next.label}</dt>
            <dd>
              <Value field={next} value={record['next_target_at']} />
            </dd>
          </div>
        )}
      </dl>
      <Stops record={record} />
    </article>
  )
}

function Chip({ name, state }: { name: 'sla_response' | 'sla_resolution'; state: State }) {
  const { t } = useApp()
  const [tone, text] = STATES[state]
  return <span class={`chip ${tone}`}>{t(name, { state: t(text) })}</span>
}

/** Of what was promised, how much it took. */
function Took({ record, name }: { record: Output; name: string }) {
  const { locale, t } = useApp()
  const about = { actual_response_at: 'response', actual_resolution_at: 'resolution' }[name]
  const [taken, most] = [record[`actual_${about}_duration`], record[`maximum_${about}_duration`]]
  if (typeof taken !== 'number' || typeof most !== 'number') return null
  return <p>{t('sla_took', { taken: amountText(locale, taken), most: amountText(locale, most) })}</p>
}

/** The stop that goes on has a beginning; of earlier ones the API only knows how long they were together. */
function Stops({ record }: { record: Output }) {
  const { locale, t, time } = useApp()
  const isResolved = momentIn(record, 'actual_resolution_at') !== null
  const since = isResolved ? null : momentIn(record, 'stopped_clock_at')
  const before = Number(record['stopped_clock_duration'] ?? 0)
  return (
    <>
      {since !== null && <p>{t('sla_clock_stands', { time: time(new Date(since).toISOString()) })}</p>}
      {before > 0 && (
        <p>{t(since === null ? 'sla_clock_moved' : 'sla_clock_before', { amount: amountText(locale, before) })}</p>
      )}
    </>
  )
}
