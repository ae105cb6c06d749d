/** Files with all records of types, as imports read them (behaviour: Exports). */
import { useId, useMemo, useState } from 'preact/hooks'
import { useTitle } from '../../core/title.js'
import { useApp, useIsAdministrator, useLoaded, usePlace } from '../../core/use-app.js'
import { useFollowed } from '../../core/use-followed.js'
import { useKeys } from '../../core/use-key.js'
import { Link, Problem } from '../../parts/basics.js'
import { fileTypesOf } from './import-jobs.js'
import { ImportProblem } from './import-problem.js'

interface Export {
  readonly state: 'queued' | 'processing' | 'done' | 'error'
  readonly line?: number
  readonly url?: string
  readonly next_from?: string
  readonly message?: string
}

export function ExportPage() {
  const { allowances, api, catalog, t, ...texts } = useApp()
  const { query } = usePlace()
  const mayImport = useIsAdministrator()
  const id = useId()
  useTitle(t('export_title'))
  const allowed = useLoaded('readable', () => allowances.readable())
  const types = useMemo(
    () => fileTypesOf(catalog, { ...texts, t }).filter(({ record }) => allowed.data?.has(record.name)),
    [catalog, texts.language, t, allowed.data],
  )
  const [wanted, setChosen] = useState(query.get('type'))
  const chosen = types.some(({ name }) => name === wanted) ? wanted : null
  const [from, setFrom] = useState('')
  const [token, setToken] = useState<string | null>(null)
  const [hasNothing, setHasNothing] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const { keyOf, renew } = useKeys()
  const again = (change: () => void) => {
    change()
    setToken(null)
    setHasNothing(false)
    setError(null)
  }
  const begin = async () => {
    setSending(true)
    setError(null)
    setHasNothing(false)
    try {
      const body = { type: chosen, ...(from === '' ? {} : { from: new Date(from).toISOString() }) }
      const headers = { 'Idempotency-Key': keyOf(body) }
      const { data, status } = await api.call<{ readonly token: string }>('POST', '/export', { body, headers })
      renew()
      if (status === 204) setHasNothing(true)
      else setToken(data.token)
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      {allowed.error !== undefined && <Problem error={allowed.error} retry={allowed.reload} />}
      {mayImport && (
        <p class="crumbs">
          <Link to="/imports">{t('imports')}</Link>
        </p>
      )}
      <h1>{t('export_title')}</h1>
      <p class="help">{t('export_help')}</p>
      <form
        class="record-form"
        onSubmit={(event) => {
          event.preventDefault()
          void begin()
        }}
      >
        <div class="form-fields">
          <div class="field">
            <label for={`${id}-type`}>{t('import_type')}</label>
            <select
              id={`${id}-type`}
              required
              value={chosen ?? ''}
              onChange={(event) => again(() => setChosen(event.currentTarget.value || null))}
            >
              {chosen === null && <option value="">{t('choose')}</option>}
              {types.map(({ label, name }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for={`${id}-from`}>{t('export_from')}</label>
            <input
              id={`${id}-from`}
              type="datetime-local"
              value={from}
              onInput={(event) => again(() => setFrom(event.currentTarget.value))}
            />
          </div>
        </div>
        {error !== null && <ImportProblem error={error} retry={begin} />}
        {token === null && (
          <div class="form-actions">
            <button type="submit" class="primary" disabled={chosen === null || isSending}>
              {t('export_begin')}
            </button>
            {hasNothing && <span role="status">{t('export_nothing')}</span>}
          </div>
        )}
        {token !== null && <Running token={token} onAgain={() => again(() => undefined)} />}
      </form>
    </>
  )
}

const isEnd = ({ state }: Export) => state === 'done' || state === 'error'

function Running({ token, onAgain }: { token: string; onAgain: () => void }) {
  const { api, number, t, time } = useApp()
  const { data, error, reload } = useFollowed<Export>(token, (signal) => api.get(`/export/${token}`, signal), isEnd)
  if (error !== undefined) return <ImportProblem error={error} retry={reload} />
  if (data?.state === 'error') return <p class="problem">{data.message}</p>
  return (
    <div class="form-actions" role="status">
      {data?.state === 'done' ? (
        <>
          <a class="button primary" href={data.url ?? ''} download>
            {t('export_download')}
          </a>
          <span class="help">
            {t('export_lasts')} {data.next_from && t('export_next', { time: time(data.next_from) })}
          </span>
          <button type="button" onClick={onAgain}>
            {t('export_again')}
          </button>
        </>
      ) : (
        <>
          <progress aria-label={t('export_runs')} />
          <span>{data?.state === 'processing' ? t('export_rows', { count: number(data.line ?? 0) }) : t('export_runs')}</span>
        </>
      )}
    </div>
  )
}
