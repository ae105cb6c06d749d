import { useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import { inPlaces } from '../../core/form-fields.js'
import type { Field, RecordType } from '../../core/read-catalog.js'
import { valueIn } from '../../core/record-name.js'
import { useApp } from '../../core/use-app.js'
import { FieldValue } from '../../parts/value.js'
import { Files } from './file-links.js'

const WIDE: ReadonlySet<string> = new Set(['text', 'json'])
/** About the record rather than of it: at the end. */
const ABOUT: ReadonlySet<string> = new Set(['source', 'sourceID', 'created_by', 'created_at', 'updated_at'])
/** Shown in the title, or by lists of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['id', 'attachments', 'notes'])

/** The fields of a record; those without a value are shown on request. */
export function Details({ type, record }: { type: RecordType; record: Output }) {
  const { t } = useApp()
  const [showsAll, setShowsAll] = useState(false)
  // Of two names for the same value, people need one.
  const isSecond = (field: Field, index: number) => type.fields.findIndex(({ label }) => label === field.label) !== index
  const fields = type.fields
    .filter((field, index) => !isSecond(field, index))
    .filter(
      ({ kind, name, on_request, write_only }) =>
        !write_only && !on_request && !ELSEWHERE.has(name) && !isTitle(type, name, kind) && kind !== 'parts',
    )
  const filled = fields.filter((field) => !isEmpty(valueIn(record, field, type)))
  const shown = showsAll ? fields : filled
  return (
    <section aria-label={t('details')}>
      <dl class="details">
        {inOrder(shown).map((field) => (
          <Row key={field.name} field={field} record={record} type={type} />
        ))}
        {!isEmpty(record['attachments']) && (
          <div class="wide">
            <dt>{t('files')}</dt>
            <dd>
              <Files files={record['attachments']} />
            </dd>
          </div>
        )}
      </dl>
      {filled.length < fields.length && (
        <button type="button" class="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('hide_empty') : t('show_empty', { count: fields.length - filled.length })}
        </button>
      )}
    </section>
  )
}

function inOrder(fields: readonly Field[]): readonly Field[] {
  return inPlaces(fields, ({ kind, name }) => (ABOUT.has(name) ? 2 : WIDE.has(kind) ? 1 : 0))
}

/** True for what the heading shows; of a long text it shows the beginning. */
function isTitle(type: RecordType, name: string, kind: string): boolean {
  return name === type.title && kind !== 'text'
}

function Row({ field, record, type }: { field: Field; record: Output; type: RecordType }) {
  return (
    <div class={WIDE.has(field.kind) ? 'wide' : ''}>
      <dt title={field.help}>{field.label}</dt>
      <dd>
        <FieldValue field={field} record={record} type={type} />
      </dd>
    </div>
  )
}

function isEmpty(value: Json | undefined): boolean {
  return (
    value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)
  )
}
