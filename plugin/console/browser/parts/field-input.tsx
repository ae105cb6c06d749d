/** The input of a field, by its kind. */
import type { Json, Output } from '../core/api.js'
import type { Field } from '../core/read-catalog.js'
import { nameOf } from '../core/record-name.js'
import { useApp } from '../core/use-app.js'
import { ReferenceInput } from './reference-input.js'

interface FieldInputProps {
  readonly field: Field
  readonly id: string
  readonly value: Json
  readonly isRequired: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
  /** Values that may be chosen; all of the enumeration without them. */
  readonly allowed?: readonly string[] | undefined
  readonly onChange: (value: Json) => void
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal', 'float'])
const LINES: ReadonlySet<string> = new Set(['text', 'json', 'headers', 'strings', 'events'])

export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, allowed } = props
  const common = {
    id: props.id,
    'aria-invalid': props.isInvalid,
    'aria-describedby': props.describedBy,
    'aria-required': props.isRequired,
  }
  const text = typeof value === 'string' ? value : ''
  if (field.enumeration) return <EnumInput {...props} common={common} allowed={allowed} />
  if (field.kind === 'boolean' || field.kind === 'secret') {
    return (
      <input {...common} type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    )
  }
  if (field.kind === 'ref' && field.record) return <RefInput {...props} record={field.record} />
  if (field.kind === 'refs' && field.record) return <RefsInput {...props} record={field.record} />
  if (LINES.has(field.kind)) {
    const rows = Math.min(12, Math.max(3, text.split('\n').length + 1))
    return (
      <textarea
        {...common}
        rows={rows}
        class={field.kind === 'json' || field.kind === 'headers' ? 'code' : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
        value={text}
      />
    )
  }
  const typed = {
    ...common,
    value: text,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  }
  // Browsers know no midnight at the end of a day.
  if (field.kind === 'timeOfDay' && text !== '24:00') return <input {...typed} type="time" />
  if (field.kind === 'date') return <input {...typed} type="date" />
  if (field.kind === 'datetime' || field.kind === 'localDatetime') return <input {...typed} type="datetime-local" />
  return (
    <input
      {...typed}
      type="text"
      autocomplete="off"
      inputMode={NUMBERS.has(field.kind) ? 'decimal' : 'text'}
      maxLength={field.kind === 'string' ? field.max_length : undefined}
    />
  )
}

function EnumInput(props: FieldInputProps & { readonly common: object }) {
  const { catalog } = useApp()
  const { allowed, field, isRequired, onChange, value } = props
  const values = catalog.valuesOf(field.enumeration ?? '').filter(({ id }) => id === value || !allowed || allowed.includes(id))
  return (
    <select
      {...props.common}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    >
      {(!isRequired || value === null) && <option value="" />}
      {values.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}

function RefInput(props: FieldInputProps & { readonly record: string }) {
  const { value } = props
  const chosen = typeof value === 'string' ? { id: null, name: value } : (value as Output | null)
  return (
    <ReferenceInput
      id={props.id}
      type={props.record}
      value={chosen}
      isInvalid={props.isInvalid ?? false}
      describedBy={props.describedBy}
      onChange={props.onChange}
    />
  )
}

function RefsInput({ id, record, value, onChange, describedBy }: FieldInputProps & { readonly record: string }) {
  const { catalog, t } = useApp()
  const chosen = (Array.isArray(value) ? value : []) as readonly Output[]
  const title = catalog.typeNamed(record)?.title ?? null
  return (
    <div class="refs-input">
      {chosen.length > 0 && (
        <ul>
          {chosen.map((one) => (
            <li key={String(one['id'])}>
              {nameOf(one, title)}
              <button
                type="button"
                class="clear"
                aria-label={t('remove_named', { name: nameOf(one, title) })}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ReferenceInput
        id={id}
        type={record}
        value={null}
        describedBy={describedBy}
        onChange={(one) => one && !chosen.some((other) => other['id'] === one['id']) && onChange([...chosen, one])}
      />
    </div>
  )
}
