import { useId } from 'preact/hooks'
import type { FieldMistake } from '../../core/call-failed.js'
import { weekdayName } from '../../core/time-words.js'
import { useApp } from '../../core/use-app.js'
import type { Hours } from './week-hours.js'

interface WeekRowProps {
  readonly row: Hours
  readonly mistakes: readonly FieldMistake[]
  readonly onChange: (row: Hours) => void
  readonly onRemove: () => void
}

/** Hours of a day, with what is wrong about them. The input of a browser has no 24:00: at the end of a day it is 00:00. */
export function WeekRow({ row, mistakes, onChange, onRemove }: WeekRowProps) {
  const { locale, t } = useApp()
  const id = useId()
  const day = weekdayName(locale, row.weekday)
  const about = (name: string) => ({
    id: `${id}-${name}`,
    'aria-invalid': mistakes.some(({ field }) => field === name),
    'aria-describedby': mistakes.length > 0 ? `${id}-mistake` : undefined,
  })
  return (
    <div class="week-row">
      <label class="hidden" for={`${id}-time_from`}>
        {t('times_from')}
      </label>
      <input
        {...about('time_from')}
        type="time"
        data-from
        value={row.time_from}
        onInput={(event) => onChange({ ...row, time_from: event.currentTarget.value })}
      />
      <span aria-hidden="true">–</span>
      <label class="hidden" for={`${id}-time_until`}>
        {t('times_until')}
      </label>
      <input
        {...about('time_until')}
        type="time"
        value={row.time_until === '24:00' ? '00:00' : row.time_until}
        onInput={({ currentTarget: { value } }) => onChange({ ...row, time_until: value === '00:00' ? '24:00' : value })}
      />
      <button
        type="button"
        class="clear"
        aria-label={t('times_remove', { day, from: row.time_from, until: row.time_until })}
        onClick={onRemove}
      >
        <span aria-hidden="true">×</span>
      </button>
      {mistakes.length > 0 && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistakes.map(({ detail }) => detail).join(' ')}
        </p>
      )}
    </div>
  )
}
