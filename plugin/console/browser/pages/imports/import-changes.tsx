/** What a dry run would change: records with their fields, before and after. */
import { useState } from 'preact/hooks'
import { namedChanges } from '../../core/named-changes.js'
import { pageOf } from '../../core/record-name.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Link, Loading, Problem } from '../../parts/basics.js'
import { ChangeList } from '../../parts/change-list.js'
import type { Change, ImportEntry } from './import-jobs.js'

const PER_PAGE = 50
/** Examples that the API keeps (behaviour: Dry runs). */
const MOST = 1000

export function ImportChanges({ entry }: { entry: ImportEntry }) {
  const { api, catalog, number, t } = useApp()
  const [page, setPage] = useState(1)
  const path = `/imports/${entry.id}/changes?per_page=${PER_PAGE}&page=${page}`
  const { data, error, isLoading, reload } = useLoaded(path, async (signal) => {
    const { data: changes, headers } = await api.call<readonly Change[]>('GET', path, { signal })
    return { headers, changes: await namedChanges(api, catalog, changes, signal) }
  })
  const total = Number(data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  if (data && total === 0) return null
  return (
    <section aria-labelledby="changes">
      <div class="title">
        <h2 id="changes">{t('import_changes')}</h2>
        {total >= MOST ? (
          <span class="total">{t('import_first_changes', { count: number(MOST) })}</span>
        ) : (
          data && <span class="total">{t('import_values', { count: number(total) })}</span>
        )}
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <ul class="parts" aria-busy={isLoading}>
          {recordsIn(data.changes).map((changes, index) => (
            <li key={index}>
              <Changed changes={changes} />
            </li>
          ))}
        </ul>
      )}
      {last > 1 && (
        <div class="pager">
          <button type="button" disabled={page === 1 || isLoading} onClick={() => setPage(page - 1)}>
            {t('previous')}
          </button>
          <span>{t('page_of', { page: number(page), last: number(last) })}</span>
          <button type="button" disabled={page === last || isLoading} onClick={() => setPage(page + 1)}>
            {t('next')}
          </button>
        </div>
      )}
    </section>
  )
}

/** Changes of the same record, which follow each other. */
function recordsIn(changes: readonly Change[]): readonly (readonly Change[])[] {
  const records: Change[][] = []
  for (const change of changes) {
    const before = records.at(-1)
    const isSame = before?.[0] && before[0].type === change.type && before[0].id === change.id && before[0].name === change.name
    // A field occurs once in a record: two new records may have the same name.
    if (before && isSame && !before.some(({ field }) => field === change.field)) before.push(change)
    else records.push([change])
  }
  return records
}

function Changed({ changes }: { changes: readonly Change[] }) {
  const { catalog, t } = useApp()
  const [first] = changes
  if (!first) return null
  const type = catalog.typeNamed(first.type)
  const name = first.name || (first.id === null ? (type?.label ?? first.type) : `#${first.id}`)
  const page = first.id === null ? null : pageOf(type, first.id)
  return (
    <>
      <div class="title">
        <h3>{page === null ? name : <Link to={page}>{name}</Link>}</h3>
        <small>{type?.label ?? first.type}</small>
        {first.id === null && <span class="chip going">{t('import_new')}</span>}
      </div>
      <ChangeList type={type} changes={changes} isNew={first.id === null} />
    </>
  )
}
