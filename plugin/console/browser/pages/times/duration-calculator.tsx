/** Counts the time within the hours of a calendar between two moments, as the API counts it. */
import { useId, useState } from 'preact/hooks'
import { amountText, localText } from '../../core/time-words.js'
import { useApp } from '../../core/use-app.js'
import { explained } from '../../parts/basics.js'
import type { ExtraProps } from '../page-props.js'

interface Answer {
  readonly start: Date
  readonly end: Date
  readonly minutes: number
}

const MINUTE = 60_000
const HOUR = 3_600_000

export function DurationCalculator({ path }: Pick<ExtraProps, 'path'>) {
  const { api, catalog, me, t } = useApp()
  const id = useId()
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [start, setStart] = useState(() => localText(atHour(0)))
  const [end, setEnd] = useState(() => localText(atHour(24)))
  const [zone, setZone] = useState(me.time_zone ?? own)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [wrong, setWrong] = useState<'start' | 'end' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const zones = catalog.valuesOf('time_zone')
  const change = (set: (value: string) => void) => (event: { readonly currentTarget: { readonly value: string } }) => {
    set(event.currentTarget.value)
    setAnswer(null)
    setError(null)
    setWrong(null)
  }
  const count = async (event: Event) => {
    event.preventDefault()
    const [from, until] = [new Date(start), new Date(end)]
    const mistake = Number.isNaN(from.getTime()) ? 'start' : !(from <= until) ? 'end' : null
    setWrong(mistake)
    if (mistake !== null) return document.getElementById(`${id}-${mistake}`)?.focus()
    setBusy(true)
    setError(null)
    try {
      const query = new URLSearchParams({ start: from.toISOString(), end: until.toISOString(), time_zone: zone })
      const { duration } = await api.get<{ readonly duration: number }>(`${path}/duration?${query}`)
      setAnswer({ start: from, end: until, minutes: duration })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const input = (name: 'start' | 'end', value: string, set: (value: string) => void) => (
    <div class="field">
      <label for={`${id}-${name}`}>{t(name === 'start' ? 'times_start' : 'times_end')}</label>
      <input
        id={`${id}-${name}`}
        type="datetime-local"
        value={value}
        aria-invalid={wrong === name}
        aria-describedby={`${id}-${wrong === name ? 'mistake' : 'help'}`}
        onInput={change(set)}
      />
      {wrong === name && (
        <p class="mistake" id={`${id}-mistake`}>
          {t((name === 'start' ? start : end) === '' ? 'times_needed' : 'times_end_before_start')}
        </p>
      )}
    </div>
  )
  return (
    <section>
      <h2>{t('times_calculator')}</h2>
      <form class="calculator" onSubmit={(event) => void count(event)} noValidate>
        {input('start', start, setStart)}
        {input('end', end, setEnd)}
        <div class="field">
          <label for={`${id}-zone`}>{t('times_zone')}</label>
          <select id={`${id}-zone`} value={zone} onChange={change(setZone)}>
            {zones.every((one) => one.id !== zone) && <option value={zone}>{zone}</option>}
            {zones.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label}
              </option>
            ))}
          </select>
        </div>
        <p class="help" id={`${id}-help`}>
          {t('times_zone_help', { zone: own })}
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          {t('times_count')}
        </button>
        <div role="status">
          {answer && <Result answer={answer} />}
          {error !== null && <p class="problem">{explained(error, t)}</p>}
        </div>
      </form>
    </section>
  )
}

/** The answer of the API. What it does not say, such as how much of the rest is holidays, is not said here either. */
function Result({ answer: { start, end, minutes } }: { answer: Answer }) {
  const { locale, t, time } = useApp()
  const all = Math.floor((end.getTime() - start.getTime()) / MINUTE)
  return (
    <>
      <p class="counted">{amountText(locale, minutes)}</p>
      <p>
        {t('times_counted', {
          start: time(start.toISOString()),
          end: time(end.toISOString()),
          all: amountText(locale, all),
          rest: amountText(locale, all - minutes),
        })}
      </p>
    </>
  )
}

/** The hour that has begun, and the one so many hours after it. */
function atHour(hours: number): Date {
  return new Date(Math.floor(Date.now() / HOUR) * HOUR + hours * HOUR)
}
