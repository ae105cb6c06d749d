/** The hours of a calendar: a week that is drawn, and that those who may can change as a whole. */
import { useState } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import type { ExtraProps } from '../page-props.js'
import { WeekForm } from './week-form.js'
import { hoursIn } from './week-hours.js'
import { WeekTable } from './week-table.js'

export function CalendarWeek({ type, path, record, tag, mayChange }: ExtraProps) {
  const { t } = useApp()
  const [isEditing, setEditing] = useState(false)
  const rows = hoursIn(record['calendar_hours'])
  const field = type.fields.find(({ name }) => name === 'calendar_hours')
  return (
    <section>
      <div class="title">
        <h2>{t('times_week')}</h2>
        {mayChange && !isEditing && (
          <span class="actions">
            <button type="button" onClick={() => setEditing(true)}>
              {t('times_change')}
            </button>
          </span>
        )}
      </div>
      {isEditing && field ? (
        <WeekForm
          path={path}
          field={field}
          version={{ values: { calendar_hours: rows }, tag }}
          onDone={() => setEditing(false)}
        />
      ) : (
        <>
          {rows.length === 0 && <p class="empty">{t(mayChange ? 'times_no_hours_change' : 'times_no_hours')}</p>}
          {rows.length > 0 && <WeekTable rows={rows} />}
        </>
      )}
    </section>
  )
}
