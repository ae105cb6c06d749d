/** What happened to a record: each change with its person, its origin and its cause. */
import { useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Loading, Problem } from '../../parts/basics.js'
import { ChangeList, type FieldChange } from '../../parts/change-list.js'
import { Reference } from '../../parts/value.js'

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
            {line['action'] === 'destroy' ? (
              <p>{t('was_removed')}</p>
            ) : (
              <ChangeList type={type} changes={changesIn(line)} isNew={line['action'] === 'create'} />
            )}
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

/** Each change is the value before and the one after it. */
function changesIn(line: Output): readonly FieldChange[] {
  return Object.entries(Object(line['changes']) as Output).map(([field, change]) => {
    const [before = null, after = null] = Array.isArray(change) ? (change as readonly Json[]) : [null, change]
    return { field, before, after }
  })
}
