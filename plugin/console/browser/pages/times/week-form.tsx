/** The hours of a week in a form. They are sent as a whole; what the API refuses is said at the row. */
import { useEffect, useRef } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import { CallFailed } from '../../core/call-failed.js'
import type { Field } from '../../core/read-catalog.js'
import { type Weekday, weekdayName, weekOf } from '../../core/time-words.js'
import { useApp } from '../../core/use-app.js'
import { type Form, useForm, type Version } from '../../core/use-form.js'
import { explained } from '../../parts/basics.js'
import { areSame, type Hours, haveSame, hoursIn, withDayAs, withRow } from './week-hours.js'
import { WeekRow } from './week-row.js'
import { WeekTable } from './week-table.js'

const NAME = 'calendar_hours'

interface WeekFormProps {
  /** Of the calendar: `/calendars/3`. */
  readonly path: string
  /** `calendar_hours` in the catalog. */
  readonly field: Field
  readonly version: Version
  readonly onDone: () => void
}

export function WeekForm({ path, field, version, onDone }: WeekFormProps) {
  const { api, locale, say, t } = useApp()
  const root = useRef<HTMLFormElement>(null)
  // The rows that were sent, in that order: the places of mistakes are theirs.
  const sent = useRef<readonly Hours[]>([])
  const readVersion = async (): Promise<Version> => {
    const { data, headers } = await api.call<Output>('GET', path)
    return { values: { [NAME]: hoursIn(data[NAME]) }, tag: headers.get('ETag') }
  }
  const isStored = async (hours: Json | undefined) => {
    const stored = await readVersion().catch(() => null)
    return stored !== null && haveSame(hoursIn(stored.values[NAME]), hoursIn(hours))
  }
  const form = useForm({
    name: `${path} hours`,
    fields: [field],
    isNew: false,
    version,
    async save(body: Readonly<Record<string, Json>>, key, tag) {
      const headers = { 'Idempotency-Key': key, ...(tag === null ? {} : { 'If-Match': tag }) }
      try {
        await api.call('PATCH', path, { body, headers })
      } catch (failure) {
        // After a lost answer, the version that is in the way may be this one.
        if (!(failure instanceof CallFailed && failure.status === 412 && (await isStored(body[NAME])))) throw failure
      }
      say(t('saved'))
      onDone()
    },
    readVersion,
  })
  const { error } = form
  const rows = hoursIn(form.draft[NAME])
  const set = (changed: readonly Hours[]) => form.set(NAME, changed)
  useEffect(() => {
    if (error !== null) requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }, [error])
  const mistakes = error instanceof CallFailed ? error.mistakes : []
  const mistakesOf = (row: Hours) => mistakes.filter(({ place }) => place !== undefined && sent.current[place - 1] === row)
  const week = weekOf(locale)
  const model = week.find((day) => rows.some(({ weekday }) => weekday === day))
  /** Sets the rows, and brings the keyboard to the last element of a day with this selector. */
  const setAndGo = (changed: readonly Hours[], day: Weekday, selector: string) => {
    set(changed)
    requestAnimationFrame(() => {
      const found = root.current?.querySelectorAll<HTMLElement>(`[data-day="${day}"] ${selector}`)
      found?.[found.length - 1]?.focus()
    })
  }
  return (
    <form
      ref={root}
      class="week-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        sent.current = rows
        void form.submit()
      }}
    >
      {error !== null && !form.conflict && (
        <div class="problem" role="alert">
          <p>{mistakes.length > 0 ? t('times_refused') : explained(error, t)}</p>
          {mistakes
            .filter(({ place }) => place === undefined)
            .map(({ detail }) => (
              <p key={detail}>{detail}</p>
            ))}
        </div>
      )}
      {week.map((day) => (
        <fieldset key={day} data-day={day}>
          <legend>{weekdayName(locale, day)}</legend>
          {rows.every(({ weekday }) => weekday !== day) && <p class="closed">{t('times_closed')}</p>}
          {rows.map(
            (row, index) =>
              row.weekday === day && (
                <WeekRow
                  key={index}
                  row={row}
                  mistakes={mistakesOf(row)}
                  onChange={(changed) => set(rows.with(index, changed))}
                  onRemove={() => setAndGo(rows.toSpliced(index, 1), day, '.add')}
                />
              ),
          )}
          <p class="day-actions">
            <button type="button" class="plain add" onClick={() => setAndGo(withRow(rows, day), day, '[data-from]')}>
              {t('times_add')} <span class="hidden">{weekdayName(locale, day)}</span>
            </button>
            {model && model !== day && !areSame(rows, day, model) && (
              <button type="button" class="plain" onClick={() => setAndGo(withDayAs(rows, day, model), day, '.add')}>
                {t('times_as', { day: weekdayName(locale, model) })} <span class="hidden">{weekdayName(locale, day)}</span>
              </button>
            )}
          </p>
        </fieldset>
      ))}
      <p class="help">{t('times_midnight_help')}</p>
      {form.conflict && <Conflict form={form} />}
      <div class="form-actions">
        <button type="submit" class="primary" disabled={form.isSaving || form.conflict !== null || !form.isChanged}>
          {form.isSaving ? t('saving') : t('save')}
        </button>
        <button
          type="button"
          onClick={() => {
            if (form.isChanged && !confirm(t('leave_form'))) return
            form.drop()
            onDone()
          }}
        >
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

/** Somebody else has saved the calendar meanwhile: their week, and whose to keep. */
function Conflict({ form }: { form: Form }) {
  const { t } = useApp()
  const { conflict } = form
  const isOfHours = conflict?.names.includes(NAME) === true
  return (
    <div class="conflict" role="alert">
      <h3>{t('conflict')}</h3>
      {isOfHours && (
        <div>
          <h4>{t('theirs')}</h4>
          <WeekTable rows={hoursIn(conflict?.version.values[NAME])} />
        </div>
      )}
      <div class="form-actions">
        <button type="button" onClick={() => form.settle(true)}>
          {t('keep_mine')}
        </button>
        {isOfHours && (
          <button type="button" onClick={() => form.settle(false)}>
            {t('take_theirs')}
          </button>
        )}
      </div>
    </div>
  )
}
