/** Makes a personal token or an OAuth client. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { CallFailed } from '../../core/call-failed.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { useGuard } from '../../core/use-unsaved.js'
import { Problem } from '../../parts/basics.js'
import { type CredentialKind, MAX_DAYS, MAX_NAME } from './credential-kinds.js'

interface CredentialFormProps {
  readonly kind: CredentialKind
  /** Of the list: `/me/tokens`. */
  readonly path: string
  /** @param secret that is shown once */
  readonly onMade: (secret: string) => void
  /** After an attempt that may have made one all the same. */
  readonly onLost: () => void
  readonly onCancel: () => void
}

/** Days after which a token ends, unless the person says otherwise. */
const DAYS = '90'

export function CredentialForm({ kind, onCancel, onLost, onMade, path }: CredentialFormProps) {
  const { api, t } = useApp()
  const id = useId()
  const [name, setName] = useState('')
  const [isReadOnly, setReadOnly] = useState(false)
  const [days, setDays] = useState(DAYS)
  const [isLimited, setLimited] = useState(false)
  const [types, setTypes] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isLost, setLost] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { keyOf, renew } = useKeys()
  const isDone = useRef(false)
  const start = useRef<HTMLInputElement>(null)
  useGuard(name !== '', () => isDone.current)
  useEffect(() => start.current?.focus(), [])

  const make = async () => {
    setBusy(true)
    setError(null)
    setLost(false)
    const body = {
      name,
      read_only: isReadOnly,
      record_types: isLimited ? types : null,
      ...(kind.ends ? { expires_in_days: days === '' ? null : Number(days) } : {}),
    }
    try {
      const { data } = await api.call<Record<string, string>>('POST', path, {
        body,
        headers: { 'Idempotency-Key': keyOf(body) },
      })
      isDone.current = true
      onMade(data[kind.secret] ?? '')
    } catch (failure) {
      setError(failure)
      if (!(failure instanceof CallFailed)) return
      const { mistakes, status } = failure
      // The answer did not arrive, or it has gone out before: to another attempt with the same key.
      const isRepeated = mistakes.some(({ field }) => field === 'idempotency_key')
      if (status === 0 || status === 409 || status >= 500 || isRepeated) {
        setLost(true)
        onLost()
      }
      if (isRepeated) renew()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      class="record-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void make()
      }}
    >
      {error !== null && <Problem error={error} />}
      {isLost && <p class="conflict">{t('token_lost')}</p>}
      <div class="form-fields">
        <div class="field">
          <label for={`${id}-name`}>{t('token_name')}</label>
          <input
            ref={start}
            id={`${id}-name`}
            type="text"
            required
            maxLength={MAX_NAME}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        {kind.ends && (
          <div class="field">
            <label for={`${id}-days`}>{t('token_days')}</label>
            <input
              id={`${id}-days`}
              type="number"
              min={1}
              max={MAX_DAYS}
              step={1}
              value={days}
              aria-describedby={`${id}-days-help`}
              onInput={(event) => setDays(event.currentTarget.value)}
            />
            <p class="help" id={`${id}-days-help`}>
              {t('token_days_help')}
            </p>
          </div>
        )}
      </div>
      <div class="form-fields">
        <div class="field check">
          <input
            id={`${id}-read`}
            type="checkbox"
            checked={isReadOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
          />
          <label for={`${id}-read`}>{t('token_read_only')}</label>
        </div>
        <div class="field check">
          <input
            id={`${id}-limited`}
            type="checkbox"
            checked={isLimited}
            onChange={(event) => setLimited(event.currentTarget.checked)}
          />
          <label for={`${id}-limited`}>{t('token_some_types')}</label>
        </div>
      </div>
      {isLimited && <TypeChoice chosen={types} onChange={setTypes} />}
      <div class="form-actions">
        <button type="submit" class="primary" disabled={isBusy || (isLimited && types.length === 0)}>
          {t(isBusy ? 'saving' : 'create')}
        </button>
        <button type="button" onClick={onCancel} disabled={isBusy}>
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

/** The record types that a token may be for: what belongs to a record follows that record. */
function TypeChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (types: readonly string[]) => void }) {
  const { allowances, catalog, t } = useApp()
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const types = useMemo(
    () =>
      [
        ...catalog.types
          .filter(({ name, owners }) => owners.length === 0 && readable?.has(name))
          .map(({ label_of_many: label, name }) => ({ name, label })),
        { name: 'feed', label: t('token_feed') },
      ].sort((one, other) => one.label.localeCompare(other.label)),
    [catalog, readable, t],
  )
  return (
    <fieldset class="type-choice">
      <legend>{t('token_types')}</legend>
      {types.map(({ label, name }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
