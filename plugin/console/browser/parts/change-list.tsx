/** Changes of a record, field by field: audit lines, and what a dry run would change. */
import type { Json, Output } from '../core/api.js'
import type { Field, RecordType } from '../core/read-catalog.js'
import { nameOf } from '../core/record-name.js'
import { useApp } from '../core/use-app.js'
import { Value } from './value.js'

/** One field, by its name in the catalog or in bodies. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** What records of audit lines are called by; sub-records may have none of it. */
const NAMES = ['id', 'name', 'subject', 'label']

interface ChangeListProps {
  readonly type: RecordType | undefined
  readonly changes: readonly FieldChange[]
  /** A new record has had no values. */
  readonly isNew: boolean
}

export function ChangeList({ type, changes, isNew }: ChangeListProps) {
  const { t } = useApp()
  return (
    <dl class="changes">
      {changes.map(({ after, before, field: named }) => {
        const field = type?.fields.find((one) => one.name === named || one.input === named)
        return (
          <div key={named}>
            <dt>{field?.label ?? named}</dt>
            <dd>
              {!isNew && (
                <>
                  <OldValue field={field} value={before} /> <span class="hidden">{t('becomes')}</span>
                  <span aria-hidden="true">→</span>{' '}
                </>
              )}
              <OldValue field={field} value={after} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** A value of a line: references are records, ids or nothing. */
function OldValue({ field, value }: { field: Field | undefined; value: Json }) {
  return field && typeof value !== 'object' ? <Value field={field} value={value} isShort /> : <span>{textOf(value)}</span>
}

function textOf(value: Json): string {
  if (value === null) return '–'
  if (Array.isArray(value)) return value.map((one: Json) => textOf(one)).join(', ') || '–'
  if (typeof value !== 'object') return String(value)
  const isNamed = NAMES.some((name) => ((value as Output)[name] ?? null) !== null)
  return isNamed ? nameOf(value as Output, null) : JSON.stringify(value)
}
