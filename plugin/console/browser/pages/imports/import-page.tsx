/** An import: how far it is, what it has done, and what can be done about it. */
import { useState } from 'preact/hooks'
import { useTitle } from '../../core/title.js'
import { useApp } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { Link, Loading, Problem } from '../../parts/basics.js'
import { Reference } from '../../parts/value.js'
import { ImportChanges } from './import-changes.js'
import { ImportFailures } from './import-failures.js'
import { canUndo, type FileType, failedIn, fileTypesOf, hasEnded, type ImportEntry } from './import-jobs.js'
import { ImportProblem } from './import-problem.js'
import { Counts, Kind, Progress, StateChip } from './import-summary.js'
import { useImport } from './use-import.js'

export function ImportPage({ id }: { id: number }) {
  const { catalog, t, ...texts } = useApp()
  const { data: entry, error, reload } = useImport(id)
  const type = fileTypesOf(catalog, { ...texts, t }).find(({ name }) => name === entry?.type)
  useTitle(entry ? `${t('import_import')} #${id}: ${entry.file_name}` : `${t('import_import')} #${id}`)
  if (!entry) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  const isOver = hasEnded(entry)
  return (
    <>
      <p class="crumbs">
        <Link to="/imports">{t('imports')}</Link>
      </p>
      <div class="title">
        <h1>{entry.file_name}</h1>
        <span class="total">#{id}</span>
        <span role="status">
          <StateChip entry={entry} />
        </span>
        <Kind entry={entry} />
        {isOver && <Actions entry={entry} />}
      </div>
      {error !== undefined && <ImportProblem error={error} retry={reload} />}
      {entry.message !== null && <p class="problem">{entry.message}</p>}
      <Progress entry={entry} reload={reload} />
      <Counts entry={entry} />
      {isOver && entry.dry_run && <p class="help">{t('import_trial_help')}</p>}
      <Facts entry={entry} type={type} />
      {isOver && failedIn(entry) > 0 && (
        <>
          {!entry.dry_run && entry.undo_of === null && <p>{t('import_repair_later')}</p>}
          <ImportFailures entry={entry} />
        </>
      )}
      {isOver && entry.dry_run && <ImportChanges entry={entry} />}
    </>
  )
}

function Actions({ entry }: { entry: ImportEntry }) {
  const { api, places, t } = useApp()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { keyOf } = useKeys()
  const undo = async () => {
    if (!confirm(t('import_undo_sure', { name: entry.file_name }))) return
    setBusy(true)
    setError(null)
    try {
      const headers = { 'Idempotency-Key': keyOf(entry.id) }
      const { data } = await api.call<{ readonly id: number }>('POST', `/imports/${entry.id}/undo`, { headers })
      places.go(`/imports/${data.id}`)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const isAgain = entry.dry_run || (failedIn(entry) > 0 && entry.undo_of === null)
  return (
    <>
      <span class="actions">
        {entry.logfile && (
          <a class="button" href={entry.logfile} target="_blank" rel="noopener noreferrer">
            {t('import_log')}
          </a>
        )}
        {canUndo(entry) && (
          <button type="button" onClick={undo} disabled={isBusy}>
            {t('import_undo')}
          </button>
        )}
        {isAgain && (
          <Link to={`/imports/new?type=${entry.type}`} class="button primary">
            {t(entry.dry_run ? 'import_file' : 'import_repaired')}
          </Link>
        )}
      </span>
      {error !== null && <ImportProblem error={error} retry={undo} />}
    </>
  )
}

function Facts({ entry, type }: { entry: ImportEntry; type: FileType | undefined }) {
  const { t, time } = useApp()
  const moment = (at: string | null) => at && <time dateTime={at}>{time(at)}</time>
  const import_ = (id: number | null) => id !== null && <Link to={`/imports/${id}`}>#{id}</Link>
  const facts = [
    [t('import_type'), type?.record.path ? <Link to={type.record.path}>{type.label}</Link> : (type?.label ?? entry.type)],
    [t('import_by'), entry.created_by && <Reference record={entry.created_by} type="person" />],
    [t('import_at'), moment(entry.created_at)],
    [t('import_started'), moment(entry.started_at)],
    [t('import_finished'), moment(entry.finished_at)],
    [t('import_undoes'), import_(entry.undo_of)],
    [t('import_undone_by'), import_(entry.undone_by)],
  ] as const
  return (
    <dl class="details">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
