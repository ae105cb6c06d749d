/** The rows that an import has not saved, each with its reason; after an undo, the records that it has left. */
import { useState } from 'preact/hooks'
import { pageOf } from '../../core/record-name.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Headings, Link, Loading, Problem } from '../../parts/basics.js'
import { Nothing } from '../../parts/value.js'
import { rowsOf, unprotected } from './csv-text.js'
import { nameOf } from './import-columns.js'
import { failedIn, type ImportEntry } from './import-jobs.js'
import { explainedImport } from './import-problem.js'
import { download } from './save-file.js'

const AT_FIRST = 25
/** Cells that say which row it is. */
const NAMING = 2

interface Failure {
  readonly line: string
  readonly field: string
  readonly reason: string
  readonly cells: readonly string[]
}

export function ImportFailures({ entry }: { entry: ImportEntry }) {
  const { api, number, say, t } = useApp()
  const [showsAll, setShowsAll] = useState(false)
  const path = `/imports/${entry.id}/failures`
  const { data, error, reload } = useLoaded(path, async (signal) => {
    const { data: text } = await api.call<string>('GET', path, { as: 'text', headers: { Accept: 'text/csv' }, signal })
    return readFailures(text)
  })
  const save = () =>
    download(api, path, `${entry.type}-${entry.id}-failures.csv`).catch((failure: unknown) => say(explainedImport(failure, t)))
  const isUndo = entry.undo_of !== null
  return (
    <section aria-labelledby="failures">
      <div class="title">
        <h2 id="failures">{t(isUndo ? 'import_left' : entry.dry_run ? 'import_wrong_rows' : 'import_failed_rows')}</h2>
        <span class="total">{number(failedIn(entry))}</span>
        <button type="button" class="end" onClick={save}>
          {t(isUndo ? 'import_download_left' : 'import_download_failures')}
        </button>
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data &&
        (isUndo ? (
          <Left {...data} />
        ) : (
          <Rows {...data} mapping={entry.mapping} count={showsAll ? data.failures.length : AT_FIRST} />
        ))}
      {data && !isUndo && !showsAll && data.failures.length > AT_FIRST && (
        <button type="button" class="plain" onClick={() => setShowsAll(true)}>
          {t('show_of', { count: number(data.failures.length), total: number(data.failures.length) })}
        </button>
      )}
    </section>
  )
}

interface Read {
  readonly headers: readonly string[]
  readonly failures: readonly Failure[]
}

/** Reads the file of failures: the headers and cells of the file, then Line, Field and Reason. */
function readFailures(text: string): Read {
  const [header = [], ...rows] = rowsOf(text, ',')
  const failures = rows
    .filter((cells) => cells.length >= 3)
    .map((cells) => {
      const [line = '', field = '', reason = ''] = cells.slice(-3).map(unprotected)
      return { line, field, reason, cells: cells.slice(0, -3).map(unprotected) }
    })
  // Rows of contact details may have been saved; they are in the file because a failed one needs them.
  return { headers: header.slice(0, -3), failures: failures.filter(({ reason }) => reason !== '') }
}

function Rows({ headers, failures, mapping, count }: Read & { mapping: ImportEntry['mapping']; count: number }) {
  const { t } = useApp()
  // Failures name the column of the type, which the file may call something else.
  const columns = headers.map((header) => nameOf(mapping[header] ?? header))
  return (
    <div class="table">
      <table>
        <Headings
          first={t('import_line_short')}
          labels={[t('import_reason'), t('import_column'), t('value'), t('import_row')]}
        />
        <tbody>
          {failures.slice(0, count).map(({ cells, field, line, reason }) => {
            const at = columns.indexOf(nameOf(field))
            const named = cells.filter((cell, index) => index !== at && cell.trim() !== '').slice(0, NAMING)
            return (
              <tr key={line}>
                <td class="number" data-label={t('import_line_short')}>
                  {line}
                </td>
                <td class="first" data-label={t('import_reason')}>
                  {reason}
                </td>
                <td data-label={t('import_column')}>{headers[at] || field || <Nothing />}</td>
                <td data-label={t('value')}>{(at >= 0 && cells[at]?.trim()) || <Nothing />}</td>
                <td data-label={t('import_row')}>{named.join(', ') || <Nothing />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Records that an undo has left: type, id, name, and who has changed them when (behaviour: Undo of imports). */
function Left({ failures }: Read) {
  const { catalog, t, time } = useApp()
  return (
    <div class="table">
      <table>
        <Headings
          first="#"
          labels={[t('name'), t('import_type'), t('import_changed_by'), t('import_changed_at'), t('import_reason')]}
        />
        <tbody>
          {failures.map(({ cells: [named = '', id = '', name = '', by = '', at = ''], line, reason }) => {
            const type = catalog.typeNamed(named)
            const page = pageOf(type, id)
            return (
              <tr key={line}>
                <td class="number">{id}</td>
                <td class="first">{page === null ? name : <Link to={page}>{name || `#${id}`}</Link>}</td>
                <td data-label={t('import_type')}>{type?.label ?? named}</td>
                <td data-label={t('import_changed_by')}>{by || <Nothing />}</td>
                <td data-label={t('import_changed_at')} class="short">
                  {at === '' ? <Nothing /> : time(at)}
                </td>
                <td data-label={t('import_reason')}>{reason}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
