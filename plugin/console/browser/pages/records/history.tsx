/** What happened to a record: each change with its person, its origin and its cause. */
import { useState } from 'preact/hooks'
import { namedLines } from '../../core/named-changes.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp } from '../../core/use-app.js'
import { useMore } from '../../core/use-more.js'
import { AuditLine } from '../../parts/audit-line.js'
import { Loading, Problem } from '../../parts/basics.js'
import { MoreButton } from '../../parts/more-button.js'

const AT_FIRST = 20

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
  const { api, catalog } = useApp()
  const list = useMore(`${path}/audit`, AT_FIRST, (lines, signal) => namedLines(api, catalog, lines, () => type.name, signal))
  const { error, records, reload, total = 0 } = list
  if (!records) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <>
      <ol class="history">
        {records.map((line) => (
          <AuditLine key={String(line['id'])} type={type} line={line} />
        ))}
      </ol>
      {error !== undefined && <Problem error={error} retry={reload} />}
      <MoreButton {...list} records={records} total={total} />
    </>
  )
}
