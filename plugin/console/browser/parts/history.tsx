/** What happened to a record: each change with its person, its origin and its cause. */
import { useState } from 'preact/hooks'
import type { Json, Output } from '../core/api.js'
import type { Field, RecordType } from '../core/read-catalog.js'
import { useApp, useLoaded } from '../core/use-app.js'
import { Loading, Problem } from './basics.js'
import { Reference, Value } from './value.js'

const PER_PAGE = 20

export function History({ type, path }: { type: RecordType; path: string }) {
  const { t } = useApp()
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('history')}</h2>
      </summary>
      {isOpen && <Lines type={type} path={path} />}
    </details>
  )
}

function Lines({ type, path }: { type: RecordType; path: string }) {
  const { api, t, time } = useApp()
  const [count, setCount] = useState(PER_PAGE)
  const { data, error, reload } = useLoaded(`${path}/audit ${count}`, (signal) =>
    api.get<readonly Output[]>(`${path}/audit?per_page=${count}`, signal),
  )
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <>
      <ol class="history">
        {data.map((line) => (
          <li key={String(line['id'])}>
            <p class="by">
              {line['created_by'] ? <Reference record={line['created_by'] as Output} type="person" /> : t('system')}
              {' · '}
              <time dateTime={String(line['created_at'])}>{time(String(line['created_at']))}</time>
              {originOf(line) && <small> · {originOf(line)}</small>}
            </p>
            <Changes type={type} changes={line['changes'] as Output | null} action={String(line['action'])} />
          </li>
        ))}
      </ol>
      {data.length === count && count < 100 && (
        <button type="button" class="plain" onClick={() => setCount(100)}>
          {t('more')}
        </button>
      )}
    </>
  )
}

/** Where it came from, and what has made it: `api, Console` or `rule groupedInto of request`. */
function originOf(line: Output): string {
  return [line['origin'], line['source'], line['cause']].filter((text) => typeof text === 'string' && text !== '').join(', ')
}

function Changes({ type, changes, action }: { type: RecordType; changes: Output | null; action: string }) {
  const { t } = useApp()
  if (action === 'destroy') return <p>{t('was_removed')}</p>
  const entries = Object.entries(changes ?? {})
  return (
    <dl class="changes">
      {entries.map(([name, change]) => {
        const field = type.fields.find((one) => one.name === name || one.input === name)
        const [before, after] = Array.isArray(change) ? (change as readonly Json[]) : [null, change]
        return (
          <div key={name}>
            <dt>{field?.label ?? name}</dt>
            <dd>
              {action === 'create' ? null : (
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
export function OldValue({ field, value }: { field: Field | undefined; value: Json | undefined }) {
  if (!field || typeof value === 'object') {
    return <>{value === null || value === undefined ? '–' : typeof value === 'object' ? nameIn(value) : String(value)}</>
  }
  return <Value field={field} value={value} isShort />
}

function nameIn(value: Json): string {
  if (Array.isArray(value)) return value.map((one: Json) => nameIn(one)).join(', ') || '–'
  if (value === null || typeof value !== 'object') return String(value)
  const record = value as Output
  return String(
    record['name'] ??
      record['subject'] ??
      record['label'] ??
      (record['id'] === undefined ? JSON.stringify(value) : `#${record['id']}`),
  )
}
