/** How far an import is, and what it has done. */
import { useState } from 'preact/hooks'
import type { TextKey } from '../../core/texts.js'
import { useApp } from '../../core/use-app.js'
import { failedIn, hasEnded, type ImportEntry, RESULTS, type Result } from './import-jobs.js'
import { explainedImport } from './import-problem.js'

const STATES = {
  queued: ['waiting', 'import_queued'],
  processing: ['going', 'import_processing'],
  done: ['done', 'import_done'],
  partly: ['failing', 'import_done_partly'],
  tried: ['failing', 'import_tried_partly'],
  error: ['ended', 'import_error'],
} as const

const LABELS: Readonly<Record<Result, TextKey>> = {
  created: 'import_created',
  updated: 'import_updated',
  deleted: 'import_deleted',
  unchanged: 'import_unchanged',
  failures: 'import_failures',
  errors: 'import_errors',
}
/** Of a dry run, which only looks. */
const LABELS_OF_TRIAL: Readonly<Partial<Record<Result, TextKey>>> = {
  created: 'import_to_create',
  updated: 'import_to_update',
  deleted: 'import_to_delete',
}
/** Results that say that something is wrong. */
const WRONG: ReadonlySet<Result> = new Set(['failures', 'errors'])
/** Results that are shown even if there are none. */
const ALWAYS: ReadonlySet<Result> = new Set(['created', 'updated', 'unchanged', 'failures'])

export function StateChip({ entry }: { entry: ImportEntry }) {
  const { t } = useApp()
  const [tone, text] =
    STATES[entry.state === 'done' && failedIn(entry) > 0 ? (entry.dry_run ? 'tried' : 'partly') : entry.state]
  return <span class={`chip ${tone}`}>{t(text)}</span>
}

/** Marks of imports that are no usual ones. */
export function Kind({ entry }: { entry: ImportEntry }) {
  const { t } = useApp()
  return (
    <>
      {entry.dry_run && <span class="chip mark">{t('import_trial')}</span>}
      {entry.undo_of !== null && <span class="chip mark">{t('import_is_undo')}</span>}
      {entry.history && <span class="chip mark">{t('import_is_history')}</span>}
      {entry.undone_by !== null && <span class="chip mark">{t('import_is_undone')}</span>}
    </>
  )
}

/** The counts of rows, or of records of an undo. */
export function Counts({ entry }: { entry: ImportEntry }) {
  const { number, t } = useApp()
  const shown = RESULTS.filter((result) => entry.results[result] > 0 || ALWAYS.has(result))
  return (
    <dl class="figures">
      {shown.map((result) => (
        <div key={result} class={WRONG.has(result) && entry.results[result] > 0 ? 'wrong' : ''}>
          <dt>{t((entry.dry_run && LABELS_OF_TRIAL[result]) || LABELS[result])}</dt>
          <dd>{number(entry.results[result])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The progress of an import that has not ended, and a button that stops it. */
export function Progress({ entry, reload }: { entry: ImportEntry; reload: () => void }) {
  const { api, number, say, t } = useApp()
  const [isStopping, setStopping] = useState(false)
  if (hasEnded(entry)) return null
  const { id, line, lines, state } = entry
  const stop = async () => {
    if (!entry.dry_run && !confirm(t('import_stop_sure'))) return
    setStopping(true)
    try {
      await api.call('DELETE', `/imports/${id}`)
      say(t('import_stopping'))
    } catch (failure) {
      say(explainedImport(failure, t))
    }
    reload()
  }
  const text =
    state === 'queued'
      ? t('import_waits')
      : lines === null
        ? t('import_line', { line: number(line) })
        : t('import_line_of', { line: number(line), lines: number(lines) })
  return (
    <div class="progress">
      <progress {...(state === 'queued' || lines === null ? {} : { value: line, max: lines })} aria-label={text} />
      <p>{text}</p>
      <button type="button" onClick={stop} disabled={isStopping}>
        {t(isStopping ? 'import_stopping' : 'import_stop')}
      </button>
    </div>
  )
}
