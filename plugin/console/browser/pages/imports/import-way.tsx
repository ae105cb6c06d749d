/** How the rows of a file are imported, for those who need more than the usual. */
import { useId } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import type { FileType, ImportWay } from './import-jobs.js'

export type Extra = Pick<ImportWay, 'absentLimit' | 'history'>

/** In percent. */
const USUAL_LIMIT = 10

/** @param onChange for a change of one of them */
export function ImportWayInput({ type, extra, onChange }: { type: FileType; extra: Extra; onChange: (extra: Extra) => void }) {
  const { t } = useApp()
  const id = useId()
  const has = (name: string) => type.record.fields.some((field) => field.name === name)
  // Rows of other files than the first are parts of records.
  const isOfRecords = type.record.file_types[0] === type.name
  const { absentLimit, history } = extra
  return (
    <details class="section">
      <summary>
        <h2>{t('import_more')}</h2>
      </summary>
      <div class="import-more">
        {isOfRecords && has('disabled') && has('sourceID') && (
          <div class="field check">
            <label for={`${id}-absent`}>{t('import_absent')}</label>
            <input
              id={`${id}-absent`}
              type="checkbox"
              checked={absentLimit !== null}
              aria-describedby={`${id}-absent-help`}
              onChange={(event) => onChange({ ...extra, absentLimit: event.currentTarget.checked ? USUAL_LIMIT : null })}
            />
            <p id={`${id}-absent-help`} class="help">
              {t('import_absent_help')}
            </p>
          </div>
        )}
        {absentLimit !== null && (
          <div class="field">
            <label for={`${id}-limit`}>{t('import_absent_limit')}</label>
            <select
              id={`${id}-limit`}
              value={String(absentLimit)}
              onChange={(event) => onChange({ ...extra, absentLimit: Number(event.currentTarget.value) })}
            >
              {[5, USUAL_LIMIT, 25, 50, 100].map((limit) => (
                <option key={limit} value={limit}>
                  {limit} %
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="field check">
          <label for={`${id}-history`}>{t('import_history')}</label>
          <input
            id={`${id}-history`}
            type="checkbox"
            checked={history}
            aria-describedby={`${id}-history-help`}
            onChange={(event) => onChange({ ...extra, history: event.currentTarget.checked })}
          />
          <p id={`${id}-history-help`} class="help">
            {t('import_history_help')}
          </p>
        </div>
      </div>
    </details>
  )
}
