/** When something happens again, as a form: the days and months that the frequency asks for, by their names. */
import type { Json, Output } from '../core/api.js'
import { draftOf } from '../core/drafts.js'
import type { Field } from '../core/read-catalog.js'
import { dayOfWeekName, listOf, monthName } from '../core/time-words.js'
import { useApp } from '../core/use-app.js'
import { FieldInput } from './field-input.js'
import { DAY_NAMES } from './recurrence.js'

interface RecurrenceInputProps {
  readonly field: Field
  readonly id: string
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** Fields that a form shows for each frequency; all others keep their values. */
const ALWAYS = ['frequency', 'start_date', 'time_of_day', 'time_zone']
const REPEATED = ['interval', 'end_date', 'disabled']
const BY_MONTH = ['day_of_week']
const DATES = Array.from({ length: 31 }, (_, index) => String(index + 1))

export function RecurrenceInput({ field, id, value, onChange }: RecurrenceInputProps) {
  const { catalog, me, t } = useApp()
  const type = catalog.typeNamed(field.record ?? '')
  const fields = type?.fields.filter(({ name, read_only }) => !read_only && name !== 'id') ?? []
  const label = type?.label ?? field.label
  if (value === null) {
    const first = Object.fromEntries(fields.map((one) => [one.name, (one.default ?? null) as Json]))
    return (
      <button
        type="button"
        onClick={() => onChange({ ...first, frequency: 'monthly', day_of_month: '1', time_zone: me.time_zone })}
      >
        {t('new_record', { type: label })}
      </button>
    )
  }
  const draft = draftOf(fields, value as Output)
  const set = (name: string) => (next: Json) => {
    const changed = { ...draft, [name]: next === '' ? null : next }
    // Other frequencies have no such days.
    onChange({ ...changed, day_of_week: changed['day_of_week'] === true && isByMonth(changed['frequency']) })
  }
  return (
    <fieldset id={id} class="recurrence-input" aria-label={field.label}>
      {fields
        .filter(({ name }) => isAsked(name, draft))
        .map((one) => (
          <div key={one.name} class={one.kind === 'boolean' ? 'field check' : 'field'}>
            {LISTS.has(one.name) ? (
              <ListInput field={one} value={draft[one.name] ?? null} onChange={set(one.name)} />
            ) : (
              <>
                <label for={`${id}-${one.name}`}>{one.label}</label>
                <FieldInput
                  field={one}
                  id={`${id}-${one.name}`}
                  value={draft[one.name] ?? null}
                  isRequired={one.required === true}
                  onChange={set(one.name)}
                />
              </>
            )}
          </div>
        ))}
      <button type="button" class="plain" onClick={() => onChange(null)}>
        {t('remove_named', { name: label })}
      </button>
    </fieldset>
  )
}

const LISTS: ReadonlySet<string> = new Set(['day', 'day_of_month', 'day_of_week_day', 'month_of_year'])

function isByMonth(frequency: Json | undefined): boolean {
  return frequency === 'monthly' || frequency === 'yearly'
}

function isAsked(name: string, { day_of_week: isByWeek, frequency }: Output): boolean {
  if (ALWAYS.includes(name)) return true
  if (frequency === 'no_repeat') return false
  if (REPEATED.includes(name)) return true
  if (name === 'day') return !isByMonth(frequency)
  if (name === 'month_of_year') return frequency === 'yearly'
  if (!isByMonth(frequency)) return false
  return BY_MONTH.includes(name) || (name === 'day_of_month') !== (isByWeek === true)
}

/** Several of a few values, which the API has with commas between them. */
function ListInput({ field, value, onChange }: Omit<RecurrenceInputProps, 'id'>) {
  const { locale, t } = useApp()
  const chosen = listOf(value)
  const all = choicesFor(field.name, locale, t('recurs_last_day'))
  const choose = (id: string, isChosen: boolean) =>
    onChange(all.flatMap((one) => ((one.id === id ? isChosen : chosen.includes(one.id)) ? one.id : [])).join(','))
  return (
    <fieldset>
      <legend>{field.label}</legend>
      <div class={all.length > 12 ? 'day-numbers' : 'day-names'}>
        {all.map(({ id, label }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />{' '}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function choicesFor(name: string, locale: string, lastDay: string): readonly { readonly id: string; readonly label: string }[] {
  const weekdays = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ id: String(day), label: dayOfWeekName(locale, day) }))
  if (name === 'day') return weekdays
  if (name === 'day_of_week_day') return weekdays.map(({ id, label }) => ({ id: DAY_NAMES[Number(id)] ?? '', label }))
  if (name === 'day_of_month') return [...DATES.map((id) => ({ id, label: id })), { id: '-1', label: lastDay }]
  return DATES.slice(0, 12).map((id) => ({ id, label: monthName(locale, Number(id)) }))
}
