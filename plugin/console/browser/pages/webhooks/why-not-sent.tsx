/** Says why an event was told to a webhook, or was not. */
import { useId, useRef, useState } from 'preact/hooks'
import type { Json } from '../../core/api.js'
import { CallFailed } from '../../core/call-failed.js'
import type { TextKey } from '../../core/texts.js'
import { useApp } from '../../core/use-app.js'
import { useFollowed } from '../../core/use-followed.js'
import { Loading, Problem } from '../../parts/basics.js'
import type { ExtraProps } from '../page-props.js'
import { EventChoice } from './event-choice.js'
import { type Delivery, DeliveryDetails, StateMark } from './webhook-delivery.js'

interface Answer {
  readonly matched: boolean
  readonly reason: string | null
  readonly term: string | null
  readonly met: Json
  readonly occurred_at: string
  /** The delivery that the event had; null if it had none. */
  readonly delivery_id: number | null
}

const REASONS: Readonly<Record<string, TextKey>> = {
  disabled: 'why_disabled',
  event: 'why_event',
  account_not_visible: 'why_account',
  internal_note: 'why_internal',
  own_change: 'why_own_change',
  filter: 'why_filter',
}

export function WhyNotSent({ path, record }: ExtraProps) {
  const { api, t } = useApp()
  const [event, setEvent] = useState(String(record['event']))
  const [number, setNumber] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [error, setError] = useState<unknown>(null)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const ask = async (submit: Event) => {
    submit.preventDefault()
    setError(null)
    setAnswer(null)
    const query = new URLSearchParams({ event, object_id: number.trim().replace(/^#/, '') })
    await api.get<Answer>(`${path}/why?${query}`).then(setAnswer, setError)
    requestAnimationFrame(() => place.current?.scrollIntoView({ block: 'nearest' }))
  }
  const isUnknown = error instanceof CallFailed && error.status === 404
  return (
    <details class="section">
      <summary>
        <h2>{t('why_title')}</h2>
      </summary>
      <form class="search-form" onSubmit={ask}>
        <p class="help whole">{t('why_help')}</p>
        <EventChoice value={event} onChange={setEvent} />
        <div class="field">
          <label for={id}>{t('why_object')}</label>
          <input
            id={id}
            type="text"
            inputMode="numeric"
            required
            pattern="\s*#?[0-9]{1,15}\s*"
            value={number}
            onInput={({ currentTarget }) => setNumber(currentTarget.value)}
          />
        </div>
        <button type="submit">{t('why_ask')}</button>
        <div class="whole" role="status" ref={place}>
          {isUnknown && <p>{t('why_unknown')}</p>}
          {error !== null && !isUnknown && <Problem error={error} />}
          {answer && <Reason answer={answer} />}
          {answer && answer.delivery_id !== null && <Outcome path={`${path}/deliveries/${answer.delivery_id}`} />}
        </div>
      </form>
    </details>
  )
}

function Reason({ answer: { matched, met, occurred_at, reason, term } }: { answer: Answer }) {
  const { t, time } = useApp()
  const known = REASONS[reason ?? '']
  return (
    <>
      <p>
        <strong>{matched ? t('why_matched') : known ? t(known) : reason}</strong>
      </p>
      {term !== null && <p class="code">{t('why_term', { term, met: JSON.stringify(met) })}</p>}
      <p class="help">{t('why_occurred', { time: time(occurred_at) })}</p>
    </>
  )
}

/** What became of the event, whatever the webhook would be told now. */
function Outcome({ path }: { path: string }) {
  const { api, t } = useApp()
  const { data, error, reload } = useFollowed<Delivery>(path, (signal) => api.get(path, signal), hasEnded)
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <>
      <p>
        {t('why_delivery')} <StateMark delivery={data} /> {data.last_error}
      </p>
      <DeliveryDetails path={path} version={data.attempts} />
    </>
  )
}
const hasEnded = ({ state }: Delivery) => state !== 'waiting'
