/** A form for the fields of a record, new or not. What is typed survives a reload of the page, and a sign-in in between. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { Json } from '../core/api.js'
import { CallFailed, type FieldMistake } from '../core/call-failed.js'
import { filesOf } from '../core/drafts.js'
import { inOrder, isFirst, isNeededIn } from '../core/form-fields.js'
import type { Field } from '../core/read-catalog.js'
import { useApp } from '../core/use-app.js'
import { type Form, type FormOptions, useForm } from '../core/use-form.js'
import { explained } from './basics.js'
import { FieldInput } from './field-input.js'
import { FilesInput } from './files-input.js'
import { RecurrenceInput } from './recurrence-input.js'
import { unitOf, Value } from './value.js'

interface RecordFormProps extends FormOptions {
  /** Values that a field may get next, by field. */
  readonly moves?: { readonly [field: string]: readonly string[] }
  /** What the button says. */
  readonly action: string
  readonly cancel: () => void
}

/** Fields that hold a sentence. */
const LONG: ReadonlySet<string> = new Set(['subject', 'title'])
const WIDE: ReadonlySet<string> = new Set(['part', 'text', 'json', 'headers', 'refs', 'strings', 'events'])

export function RecordForm(props: RecordFormProps) {
  const { t } = useApp()
  const { isNew } = props
  const fields = useMemo(() => inOrder(props.fields, isNew), [props.fields, isNew])
  const withFiles = useMemo(() => fields.flatMap((field) => [field, filesOf(field) ?? []].flat()), [fields])
  const form = useForm({ ...props, fields: withFiles })
  const [uploads, setUploads] = useState(0)
  const { draft, error } = form
  const [showsAll, setShowsAll] = useState(!isNew)
  const root = useRef<HTMLFormElement>(null)
  const id = useId()
  const mistakes: readonly FieldMistake[] = error instanceof CallFailed ? error.mistakes : []
  // After a refusal, the first field with a mistake gets the focus, so that keyboard and screen reader are there.
  useEffect(() => {
    if (error instanceof CallFailed && error.mistakes.length > 0) setShowsAll(true)
    if (error !== null) requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }, [error])

  // What was typed, or refused, stays in sight.
  const isInUse = ({ files_input, name }: Field) =>
    [name, files_input].some((one) => one !== undefined && form.isTyped(one)) || mistakes.some(({ field }) => field === name)
  const shown = showsAll ? fields : fields.filter((field) => isFirst(field, isNew) || isInUse(field))
  const hasMore = isNew && fields.some((field) => !isFirst(field, isNew))
  const submit = (event: Event) => {
    event.preventDefault()
    void form.submit()
  }
  return (
    <form ref={root} class="record-form" onSubmit={submit} noValidate>
      {error !== null && !form.conflict && <Refusal error={error} fields={fields} mistakes={mistakes} />}
      <div class="form-fields">
        {shown.map((field) => (
          <FormField
            key={field.name}
            field={field}
            id={`${id}-${field.name}`}
            value={draft[field.name] ?? null}
            isNeeded={isNeededIn(field, isNew)}
            mistakes={mistakes.filter((mistake) => mistake.field === field.name || mistake.field === field.files_input)}
            allowed={props.moves?.[field.name]}
            onChange={(value) => form.set(field.name, value)}
          >
            {field.files_input && (
              <FilesInput
                text={field.label}
                value={draft[field.files_input] ?? null}
                isInvalid={mistakes.some((mistake) => mistake.field === field.files_input)}
                onChange={(value) => form.set(field.files_input ?? '', value)}
                onBusy={(isBusy) => setUploads((count) => count + (isBusy ? 1 : -1))}
              />
            )}
          </FormField>
        ))}
      </div>
      {hasMore && (
        <button type="button" class="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('fewer_fields') : t('more_fields', { count: fields.length - shown.length })}
        </button>
      )}
      {form.conflict && <Conflict form={form} fields={fields} />}
      <div class="form-actions">
        <button
          type="submit"
          class="primary"
          disabled={form.isSaving || uploads > 0 || form.conflict !== null || (!isNew && !form.isChanged)}
        >
          {form.isSaving ? t('saving') : props.action}
        </button>
        <button
          type="button"
          onClick={() => {
            if (form.isChanged && !confirm(t('leave_form'))) return
            form.drop()
            props.cancel()
          }}
        >
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

/** Why the form was refused; mistakes in its fields stand there. */
function Refusal(props: { error: unknown; fields: readonly Field[]; mistakes: readonly FieldMistake[] }) {
  const { t } = useApp()
  const { error, fields, mistakes } = props
  const known = new Set(fields.flatMap((field) => [field.name, field.files_input]))
  const reason = error instanceof SyntaxError ? t('no_json') : explained(error, t)
  return (
    <div class="problem" role="alert">
      <p>{mistakes.length === 0 ? reason : t('mistakes', { count: mistakes.length })}</p>
      {mistakes
        .filter(({ field }) => !known.has(field))
        .map(({ detail }) => (
          <p key={detail}>{detail}</p>
        ))}
    </div>
  )
}

/** Somebody else has saved the record meanwhile: what they changed, and whose values to keep. */
function Conflict({ form, fields }: { form: Form; fields: readonly Field[] }) {
  const { t } = useApp()
  const { conflict, draft } = form
  const theirs = fields.filter(({ name }) => conflict?.names.includes(name))
  return (
    <div class="conflict" role="alert">
      <h3>{t('conflict')}</h3>
      {theirs.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('theirs')}</th>
              <th scope="col">{t('mine')}</th>
            </tr>
          </thead>
          <tbody>
            {theirs.map((field) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                <td>
                  <Value field={field} value={conflict?.version.values[field.name]} isShort />
                </td>
                <td>
                  <Value field={field} value={draft[field.name]} isShort />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="form-actions">
        <button type="button" onClick={() => form.settle(true)}>
          {t('keep_mine')}
        </button>
        <button type="button" onClick={() => form.settle(false)}>
          {t('take_theirs')}
        </button>
      </div>
    </div>
  )
}

const CHECKED: ReadonlySet<string> = new Set(['boolean', 'secret'])

interface FormFieldProps {
  readonly field: Field
  readonly id: string
  readonly value: Json
  readonly isNeeded: boolean
  readonly mistakes: readonly FieldMistake[]
  readonly allowed: readonly string[] | undefined
  readonly onChange: (value: Json) => void
  /** What belongs to the input. */
  readonly children?: ComponentChildren
}

function FormField({ field, id, value, isNeeded, mistakes, allowed, onChange, children }: FormFieldProps) {
  const { language, t } = useApp()
  // Texts of the plugin about fields are in English; those of hosts as the host has written them.
  const help = language.startsWith('en') && field.kind !== 'secret' ? field.help : undefined
  const described = [help ? `${id}-help` : '', mistakes.length > 0 ? `${id}-mistake` : ''].filter(Boolean).join(' ')
  return (
    <div
      class={`field ${WIDE.has(field.kind) || LONG.has(field.name) ? 'wide' : ''} ${CHECKED.has(field.kind) ? 'check' : ''}`}
    >
      <label for={id}>
        {field.label}
        {field.unit && ` (${unitOf(field.unit)})`}
        {field.kind === 'secret' && ` (${t('make_secret')})`}
        {isNeeded && <span class="needed"> {t('required')}</span>}
      </label>
      {field.kind === 'part' ? (
        <RecurrenceInput field={field} id={id} value={value} onChange={onChange} />
      ) : (
        <FieldInput
          field={field}
          id={id}
          value={value}
          isRequired={isNeeded}
          isInvalid={mistakes.length > 0}
          describedBy={described || undefined}
          allowed={allowed}
          onChange={onChange}
        />
      )}
      {mistakes.length > 0 && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistakes.map(({ detail }) => detail).join(' ')}
        </p>
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {children}
    </div>
  )
}
