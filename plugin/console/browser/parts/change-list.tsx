/** Changes of a record, field by field: audit lines, and what a dry run would change. */
import { isRecord, type Json, type Output } from '../core/api.js'
import { type FieldChange, isNamed } from '../core/named-changes.js'
import type { Field, RecordType } from '../core/read-catalog.js'
import { nameOf, pageOf } from '../core/record-name.js'
import { useApp } from '../core/use-app.js'
import { Link } from './basics.js'
import { Nothing, Reference, Value } from './value.js'

/** What records of audit lines are called by; sub-records may have none of it. */
const NAMES = ['id', 'name', 'subject', 'label']
/** What says little about a sub-record. */
const RARELY_READ: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

interface ChangeListProps {
  readonly type: RecordType | undefined
  readonly changes: readonly FieldChange[]
  /** A new record has had no values. */
  readonly isNew: boolean
}

export function ChangeList({ type, changes, isNew }: ChangeListProps) {
  const { catalog, t } = useApp()
  return (
    <dl class="changes">
      {changes.map(({ after, before, field: named }) => {
        const field = type?.fields.find((one) => isNamed(one, named))
        const below = [...(type?.parts ?? []), ...(type?.links ?? [])].find((one) => one.name === named)
        const of = below && catalog.typeNamed(below.record)
        return (
          <div key={named}>
            <dt>{field?.label ?? below?.label ?? named}</dt>
            <dd>
              {!isNew && (
                <>
                  <OldValue field={field} of={of} value={before} /> <span class="hidden">{t('becomes')}</span>
                  <span aria-hidden="true">→</span>{' '}
                </>
              )}
              <OldValue field={field} of={of} value={after} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface OldValueProps {
  readonly field: Field | undefined
  /** Of the records in a list: sub-records, and linked ones. */
  readonly of: RecordType | undefined
  readonly value: Json
}

/** A value of a line: references are records, ids or nothing. */
function OldValue({ field, of, value }: OldValueProps) {
  const { catalog } = useApp()
  const type = of ?? catalog.typeNamed(field?.record ?? '')
  if (field?.kind === 'ref' && typeof value === 'number') return <Numbered type={type} id={value} />
  if (isRecord(value) && typeof value['id'] === 'number' && type) return <Reference record={value} type={type.name} />
  if (field && typeof value !== 'object') return <Value field={field} value={value} isShort />
  if (value === null || (Array.isArray(value) && value.length === 0)) return <Nothing />
  if (!Array.isArray(value)) return <span>{textOf(value)}</span>
  return (
    <ul class="values">
      {value.map((one: Json, index: number) => (
        <li key={index}>{memberOf(one, type)}</li>
      ))}
    </ul>
  )
}

/** A record in a list: by its name, by its number, or by its values. */
function memberOf(value: Json, type: RecordType | undefined) {
  if (typeof value === 'number') return <Numbered type={type} id={value} />
  const isReference = isRecord(value) && Object.keys(value).every((name) => name === 'id' || name === 'name')
  return isReference && type?.path ? <Reference record={value} type={type.name} /> : partOf(value, type)
}

/** A record of which a line knows the number alone. */
function Numbered({ type, id }: { type: RecordType | undefined; id: number }) {
  const page = pageOf(type, id)
  return page === null ? <>#{id}</> : <Link to={page}>#{id}</Link>
}

/** A sub-record by its values: `Status: Assigned, Planned effort: 8`. */
function partOf(value: Json, of: RecordType | undefined): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || NAMES.some((name) => name in value))
    return textOf(value)
  const said = Object.entries(value as Output).filter(([name, one]) => one !== null && !RARELY_READ.has(name))
  const labels = said.map(([name, one]) => {
    const field = of?.fields.find((known) => isNamed(known, name))
    return `${field?.label ?? name}: ${textOf(one)}`
  })
  return labels.join(', ')
}

function textOf(value: Json): string {
  if (value === null) return '–'
  if (Array.isArray(value)) return value.map((one: Json) => textOf(one)).join(', ') || '–'
  if (typeof value !== 'object') return String(value)
  const hasName = NAMES.some((name) => ((value as Output)[name] ?? null) !== null)
  return hasName ? nameOf(value as Output, null) : JSON.stringify(value)
}
