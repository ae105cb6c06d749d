/** A new import: the type, the file, its columns, a trial, and then the import. */
import { useId, useMemo } from 'preact/hooks'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded, usePlace } from '../../core/use-app.js'
import { Link, Loading, Problem } from '../../parts/basics.js'
import { ImportColumns } from './column-match.js'
import { rowsOf } from './csv-text.js'
import { mistakesIn } from './import-columns.js'
import { ImportFileInput } from './import-file-input.js'
import { type FileType, fileTypesOf } from './import-jobs.js'
import { explainedImport, ImportProblem } from './import-problem.js'
import { ImportTrial } from './import-trial.js'
import { ImportWayInput } from './import-way.js'
import { download } from './save-file.js'
import { type NewImport, useNewImport } from './use-new-import.js'

/** Files with less of their headers in the type are probably of another one. */
const FEW = 0.5

export function NewImportPage() {
  const { allowances, api, catalog, places, t, ...texts } = useApp()
  const { query } = usePlace()
  const id = useId()
  useTitle(t('import_file'))
  const allowed = useLoaded('writable', () => allowances.writable())
  const types = useMemo(
    () => fileTypesOf(catalog, { ...texts, t }).filter(({ record }) => allowed.data?.has(record.name)),
    [catalog, texts.language, t, allowed.data],
  )
  const type = types.find(({ name }) => name === query.get('type'))
  const template = useLoaded(type ? type.name : null, async (signal) => {
    const path = `/imports/template?type=${type?.name}`
    const { data } = await api.call<string>('GET', path, { as: 'text', headers: { Accept: 'text/csv' }, signal })
    return { of: type?.name, columns: rowsOf(data, ',').next().value ?? [] }
  })
  // The columns before stay until the new ones have come: they are not those of this type.
  const columns = template.data?.of === type?.name ? template.data?.columns : undefined
  const state = useNewImport(type, columns ?? [])
  return (
    <>
      <p class="crumbs">
        <Link to="/imports">{t('imports')}</Link>
      </p>
      <h1>{t('import_file')}</h1>
      <section class="step" aria-labelledby={`${id}-type`}>
        <h2>
          <label for={`${id}-types`} id={`${id}-type`}>
            {t('import_type_question')}
          </label>
        </h2>
        <select
          id={`${id}-types`}
          class="short"
          value={type?.name ?? ''}
          disabled={state.sending !== null}
          onChange={(event) => places.go(`/imports/new?type=${event.currentTarget.value}`, true)}
        >
          {!type && <option value="">{t('choose')}</option>}
          {types.map(({ label, name }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        {!type && <p class="help">{t('import_order_help')}</p>}
        {type && columns && <Template type={type} />}
      </section>
      {allowed.error !== undefined && <Problem error={allowed.error} retry={allowed.reload} />}
      {template.error !== undefined && !columns && <Problem error={template.error} retry={template.reload} />}
      {type && !columns && template.error === undefined && <Loading />}
      {type && columns && <FileSteps type={type} columns={columns} state={state} />}
    </>
  )
}

function Template({ type }: { type: FileType }) {
  const { api, say, t } = useApp()
  const save = () =>
    download(api, `/imports/template?type=${type.name}`, `${type.name}.csv`).catch((error: unknown) =>
      say(explainedImport(error, t)),
    )
  return (
    <p class="help">
      {t('import_start_with')}{' '}
      <button type="button" class="plain" onClick={save}>
        {t('import_template')}
      </button>{' '}
      · <Link to={`/imports/export?type=${type.name}`}>{t('import_present')}</Link>
    </p>
  )
}

/** The steps from the file to the import. */
function FileSteps({ type, columns, state }: { type: FileType; columns: readonly string[]; state: NewImport }) {
  const { t } = useApp()
  const { error, file, matches, sending } = state
  const id = useId()
  const asked = matches.filter(({ isAbout }) => !isAbout)
  const used = asked.filter(({ column }) => column !== null).length
  const mistakes = mistakesIn(matches)
  const isReady = file !== null && used > 0 && mistakes.columns.size === 0 && mistakes.headers.size === 0
  return (
    <>
      <section class="step" aria-labelledby={`${id}-file`}>
        <h2 id={`${id}-file`}>{t('import_file_question')}</h2>
        <ImportFileInput file={file} onFile={state.choose} onEncoding={state.readAs} />
        {error !== null && file === null && <ImportProblem error={error} />}
      </section>
      {file && (
        <>
          {used < asked.length * FEW && (
            <p class={used === 0 ? 'problem' : 'hint'} role="alert">
              {t(used === 0 ? 'import_no_column' : 'import_few_columns', { type: type.label })}
            </p>
          )}
          <ImportColumns
            key={`${type.name} ${file.isGuess} ${file.headers.join('\t')}`}
            file={file}
            columns={columns}
            matches={matches}
            onChoose={state.chooseColumn}
          />
          <ImportWayInput type={type} extra={state.extra} onChange={state.setExtra} />
          {error !== null && <ImportProblem error={error} retry={() => state.send(state.trialId === null)} />}
          {state.trialId === null && (
            <div class="form-actions">
              <button type="button" class="primary" disabled={!isReady || sending !== null} onClick={() => state.send(true)}>
                {t(sending === 'trial' ? 'import_sending' : 'import_try')}
              </button>
              {sending !== null ? (
                <button type="button" onClick={state.cancel}>
                  {t('cancel')}
                </button>
              ) : (
                <span class="help">{t('import_try_help')}</span>
              )}
            </div>
          )}
          {state.trialId !== null && <ImportTrial key={state.trialId} state={state} id={state.trialId} />}
        </>
      )}
    </>
  )
}
