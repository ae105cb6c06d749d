/** The pages of imports and exports. */

import { useTitle } from '../../core/title.js'
import { useApp, useIsAdministrator, useLoaded, usePlace } from '../../core/use-app.js'
import { Empty, Headings, Link, Loading, Problem } from '../../parts/basics.js'
import { Pager } from '../../parts/pager.js'
import { fileTypesOf, type ImportEntry } from './import-jobs.js'
import { ImportPage } from './import-page.js'
import { Kind, StateChip } from './import-summary.js'
import { ExportPage } from './new-export.js'
import { NewImportPage } from './new-import.js'

const PER_PAGE = 25

/** @param part of the path, after `/imports` */
export function ImportsPage({ part }: { part: string | undefined }) {
  const { t } = useApp()
  const mayImport = useIsAdministrator()
  if (part === 'export') return <ExportPage />
  if (mayImport === undefined) return <Loading />
  if (!mayImport) return <Empty>{t('forbidden', { message: '' })}</Empty>
  if (part === undefined) return <ImportList />
  if (part === 'new') return <NewImportPage />
  return /^\d{1,15}$/.test(part) ? <ImportPage id={Number(part)} /> : <Empty>{t('no_page')}</Empty>
}

function ImportList() {
  const { api, catalog, number, t, ...texts } = useApp()
  const { query } = usePlace()
  useTitle(t('imports'))
  const page = query.get('page') ?? '1'
  const path = `/imports?per_page=${PER_PAGE}&page=${encodeURIComponent(page)}`
  const { data, error, isLoading, reload } = useLoaded(path, (signal) =>
    api.call<readonly ImportEntry[]>('GET', path, { signal }),
  )
  const total = Number(data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  const labels = new Map(fileTypesOf(catalog, { ...texts, t }).map(({ label, name }) => [name, label]))
  return (
    <>
      <div class="title">
        <h1>{t('imports')}</h1>
        {data && <span class="total">{number(total)}</span>}
        <span class="actions">
          <button type="button" onClick={reload} disabled={isLoading}>
            {t('import_reload')}
          </button>
          <Link to="/imports/export" class="button">
            {t('export_export')}
          </Link>
          <Link to="/imports/new" class="button primary">
            {t('import_file')}
          </Link>
        </span>
      </div>
      {error !== undefined ? (
        <Problem error={error} retry={reload} />
      ) : !data ? (
        <Loading />
      ) : total === 0 ? (
        <Empty>
          <p>{t('import_none')}</p>
          <Link to="/imports/new">{t('import_file')}</Link>
        </Empty>
      ) : (
        <>
          <ImportTable entries={data.data} labels={labels} isBusy={isLoading} />
          <Pager query={query} total={total} perPage={PER_PAGE} path="/imports" />
        </>
      )}
    </>
  )
}

interface ImportTableProps {
  readonly entries: readonly ImportEntry[]
  readonly labels: ReadonlyMap<string, string>
  readonly isBusy: boolean
}

function ImportTable({ entries, isBusy, labels }: ImportTableProps) {
  const { number, t, time } = useApp()
  const columns = [t('import_type'), t('import_state'), t('import_created'), t('import_updated'), t('import_failures')]
  return (
    <div class="table" aria-busy={isBusy}>
      <table>
        <Headings first="#" labels={[t('import_file_name'), ...columns, t('import_by'), t('import_at')]} />
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td class="number">
                <Link to={`/imports/${entry.id}`}>{entry.id}</Link>
              </td>
              <td class="first">
                <Link to={`/imports/${entry.id}`}>{entry.file_name}</Link>
              </td>
              <td data-label={columns[0]}>{labels.get(entry.type) ?? entry.type}</td>
              <td data-label={columns[1]}>
                <span class="chips">
                  <StateChip entry={entry} /> <Kind entry={entry} />
                </span>
              </td>
              <td data-label={columns[2]} class="count">
                {number(entry.results.created)}
              </td>
              <td data-label={columns[3]} class="count">
                {number(entry.results.updated)}
              </td>
              <td data-label={columns[4]} class="count">
                {number(entry.results.failures + entry.results.errors)}
              </td>
              <td data-label={t('import_by')}>{String(entry.created_by?.['name'] ?? '–')}</td>
              <td data-label={t('import_at')} class="short">
                <time dateTime={entry.created_at}>{time(entry.created_at)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
