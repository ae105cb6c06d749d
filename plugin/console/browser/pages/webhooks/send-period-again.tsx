/** Sends the deliveries of a time again: after a receiver was away for longer than its attempts lasted. */
import { useId, useState } from 'preact/hooks'
import { CallFailed } from '../../core/call-failed.js'
import type { Texts } from '../../core/texts.js'
import { useApp } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { explained } from '../../parts/basics.js'
import type { ExtraProps } from '../page-props.js'
import { EventChoice } from './event-choice.js'

const DAY = 86_400_000

export function SendPeriodAgain({ path, record, mayChange }: ExtraProps) {
  const { t } = useApp()
  if (!mayChange || record['disabled'] === true) return null
  return (
    <details class="section">
      <summary>
        <h2>{t('replay_title')}</h2>
      </summary>
      <ReplayForm path={path} />
    </details>
  )
}

function ReplayForm({ path }: { path: string }) {
  const { api, number, t } = useApp()
  const keys = useKeys()
  const [values, setValues] = useState({ from: localTime(Date.now() - DAY), to: '', state: 'failed', event: '' })
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isWrong: boolean } | null>(null)
  const [isSending, setSending] = useState(false)
  const id = useId()
  const set = (name: keyof typeof values) => (value: string) => setValues({ ...values, [name]: value })
  const send = async (event: Event) => {
    event.preventDefault()
    if (isSending) return
    const { from, to, state, event: name } = values
    const body = {
      from: new Date(from).toISOString(),
      state,
      ...(to === '' ? {} : { to: new Date(to).toISOString() }),
      ...(name === '' ? {} : { event: name }),
    }
    setSending(true)
    setOutcome(null)
    try {
      const headers = { 'Idempotency-Key': keys.keyOf(body) }
      const { data } = await api.call<{ readonly count: number }>('POST', `${path}/replay`, { body, headers })
      keys.renew()
      setOutcome({ text: t(data.count === 0 ? 'replay_none' : 'replay_done', { count: number(data.count) }), isWrong: false })
    } catch (failure) {
      setOutcome({ text: reasonOf(failure, t), isWrong: true })
    }
    setSending(false)
  }
  return (
    <form class="search-form" onSubmit={send}>
      <p class="help whole">{t('replay_help')}</p>
      <div class="field">
        <label for={`${id}-from`}>{t('replay_from')}</label>
        <input
          id={`${id}-from`}
          type="datetime-local"
          required
          value={values.from}
          onInput={(event) => set('from')(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-to`}>{t('replay_to')}</label>
        <input
          id={`${id}-to`}
          type="datetime-local"
          value={values.to}
          onInput={(event) => set('to')(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-state`}>{t('replay_which')}</label>
        <select id={`${id}-state`} value={values.state} onChange={(event) => set('state')(event.currentTarget.value)}>
          <option value="failed">{t('replay_failed')}</option>
          <option value="all">{t('replay_all')}</option>
        </select>
      </div>
      <EventChoice value={values.event} without={t('replay_any_event')} onChange={set('event')} />
      <button type="submit" class="primary" disabled={isSending}>
        {t('retry')}
      </button>
      {outcome && (
        <p class={`whole ${outcome.isWrong ? 'problem' : ''}`} role={outcome.isWrong ? 'alert' : 'status'}>
          {outcome.text}
        </p>
      )}
    </form>
  )
}

/** 409 is about the deliveries here, and not about a change by somebody else. */
function reasonOf(failure: unknown, t: Texts['t']): string {
  return failure instanceof CallFailed && failure.status === 409 ? t('replay_cannot') : explained(failure, t)
}

/** A time in the zone of the browser, as its inputs have it. */
function localTime(milliseconds: number): string {
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000
  return new Date(milliseconds - offset).toISOString().slice(0, 16)
}
