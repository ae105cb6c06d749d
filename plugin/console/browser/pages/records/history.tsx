/** What happened to a record: each change with its person, its origin and its cause. */
import { useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { AuditLine } from '../../parts/audit-line.js'
import { Loading, Problem } from '../../parts/basics.js'

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
  const { api, t } = useApp()
  const [count, setCount] = useState(PER_PAGE)
  const { data, error, reload } = useLoaded(`${path}/audit ${count}`, (signal) =>
    api.get<readonly Output[]>(`${path}/audit?per_page=${count}`, signal),
  )
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <>
      <ol class="history">
        {data.map((line) => (
          <AuditLine key={String(line['id'])} type={type} line={line} />
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
