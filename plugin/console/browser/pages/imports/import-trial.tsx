/** What a dry run says, and the import after it. */
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import { Loading } from '../../parts/basics.js'
import { ImportChanges } from './import-changes.js'
import { ImportFailures } from './import-failures.js'
import { failedIn, hasEnded } from './import-jobs.js'
import { ImportProblem } from './import-problem.js'
import { Counts, Progress } from './import-summary.js'
import { useImport } from './use-import.js'
import type { NewImport } from './use-new-import.js'

export function ImportTrial({ state, id }: { state: NewImport; id: number }) {
  const { number, t } = useApp()
  const { data: entry, error, reload } = useImport(id)
  const title = useRef<HTMLHeadingElement>(null)
  const isOver = entry !== undefined && hasEnded(entry)
  // Who has waited for it reads on here; also a screen reader does.
  useEffect(() => {
    if (!isOver) return
    state.endTrial(id)
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: 'start' })
  }, [isOver])
  if (!entry) return error === undefined ? <Loading /> : <ImportProblem error={error} retry={reload} />
  const { created, deleted, unchanged, updated } = entry.results
  const failed = failedIn(entry)
  const good = created + deleted + updated
  const verdict = () => {
    if (entry.state === 'error') return t('import_trial_stopped')
    if (failed > 0) return t('import_trial_failed', { count: number(failed), good: number(good + unchanged) })
    return t(good === 0 ? 'import_trial_nothing' : 'import_trial_good', { count: number(good) })
  }
  return (
    <section class="trial" aria-labelledby="trial">
      <h2 id="trial" ref={title} tabIndex={-1}>
        {t(isOver ? 'import_trial_result' : 'import_trial_runs')}
      </h2>
      {error !== undefined && <ImportProblem error={error} retry={reload} />}
      <Progress entry={entry} reload={reload} />
      {isOver && (
        <>
          {entry.message !== null && <p class="problem">{entry.message}</p>}
          <p class={failed > 0 || entry.state === 'error' ? 'hint' : 'verdict'}>{verdict()}</p>
        </>
      )}
      <Counts entry={entry} />
      {isOver && (
        <>
          <div class="form-actions">
            {entry.state === 'done' && good > 0 && (
              <button
                type="button"
                class={failed === 0 ? 'primary' : ''}
                disabled={state.sending !== null}
                onClick={() => state.send(false)}
              >
                {state.sending === 'import'
                  ? t('import_sending')
                  : t(failed === 0 ? 'import_now' : 'import_others', { count: number(good) })}
              </button>
            )}
            {entry.state === 'error' && (
              <button type="button" disabled={state.sending !== null} onClick={() => state.send(true)}>
                {state.sending === 'trial' ? t('import_sending') : t('import_try_again')}
              </button>
            )}
            {state.sending !== null ? (
              <button type="button" onClick={state.cancel}>
                {t('cancel')}
              </button>
            ) : (
              (failed > 0 || entry.state === 'error') && <span class="help">{t('import_repair_help')}</span>
            )}
          </div>
          {failed > 0 && <ImportFailures entry={entry} />}
          <ImportChanges entry={entry} />
        </>
      )}
    </section>
  )
}
