/** A plan along the time: a row for each task, a bar from its begin to its end, arrows from those before it. */
import { useMemo } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import { useGradually } from '../../core/use-gradually.js'
import { EnumValue, unitOf } from '../../parts/value.js'
import { lengthOf, TaskLink, type ViewProps } from './plan-parts.js'
import type { PlanPhase, PlanTask } from './read-plan.js'
import { labelsOf } from './scale-labels.js'
import { scaleFor } from './time-scale.js'
import { TimelineDrawing } from './timeline-drawing.js'
import { drawnWidth, INSET, ROW_HEIGHT, type Row, rowsOf, spanOf } from './timeline-rows.js'

export function PlanTimeline({ type, tasks, deciding }: ViewProps) {
  const { locale, t } = useApp()
  const groups = useMemo(() => rowsOf(tasks), [tasks])
  const scale = useMemo(
    () => scaleFor(tasks.flatMap(({ begin, deadline, end }) => [begin, deadline, end].filter((time) => time !== null))),
    [tasks],
  )
  const labels = useMemo(() => labelsOf(locale), [locale])
  const count = useGradually(tasks.length)
  if (!scale) return <p class="help">{t('plan_without_times')}</p>
  const status = type.fields.find(({ name }) => name === 'status')
  const rows = groups.flatMap((group) => group.rows)
  const drawn = rows.slice(0, count)
  const isDrawn = new Set(drawn)
  const height = (rows.length + groups.filter(({ phase }) => phase !== undefined).length) * ROW_HEIGHT
  const now = Date.now()
  const isNowShown = now >= scale.from && now <= scale.to
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for people without a mouse
    <section class="plan-box" aria-label={t('plan_timeline')} aria-busy={count < tasks.length} tabIndex={0}>
      <div class="timeline">
        <p class="timeline-range">{labels.range(scale.from, scale.to)}</p>
        <div class="timeline-scale" style={{ width: lengthOf(drawnWidth(scale)) }} aria-hidden="true">
          {scale.marks.slice(0, -1).map(({ time, x }) => (
            <span key={time} style={{ insetInlineStart: lengthOf(INSET + x) }}>
              {labels.mark(scale.unit, time)}
            </span>
          ))}
          {isNowShown && (
            <span class="now" style={{ insetInlineStart: lengthOf(INSET + scale.at(now)) }}>
              {t('plan_now')}
            </span>
          )}
        </div>
        <div class="timeline-names">
          {groups.map(({ phase, rows: some }) => (
            <Group key={phase?.id ?? 'none'} phase={phase}>
              {some
                .filter((row) => isDrawn.has(row))
                .map(({ task }) => (
                  <li key={task.id} title={task.subject} class={deciding.has(task.id) ? 'deciding' : undefined}>
                    <span class="name">
                      <TaskLink type={type} task={task} isDeciding={deciding.has(task.id)} />
                    </span>
                    <InWords task={task} />
                  </li>
                ))}
            </Group>
          ))}
        </div>
        <div class="timeline-bars" style={{ width: lengthOf(drawnWidth(scale)), height: lengthOf(height) }}>
          <TimelineDrawing
            type={type}
            groups={groups}
            count={count}
            scale={scale}
            height={height}
            now={isNowShown ? now : null}
            deciding={deciding}
          />
          {drawn.map((row) => (
            <span key={row.task.id} class="bar-label" style={placeOf(row, scale.at)} aria-hidden="true">
              {status && <EnumValue field={status} value={row.task.status} isShort />}
              {spanOf(row.task) === null && <small>{t('plan_no_times')}</small>}
            </span>
          ))}
        </div>
      </div>
    </section>
  )
}

function placeOf({ task, y }: Row, at: (time: number) => number) {
  const span = spanOf(task)
  return { insetInlineStart: lengthOf(INSET + (span ? at(span.to) : 0) + 12), top: lengthOf(y) }
}

/** The tasks of a phase under its name; those of a plan without phases have none. */
function Group({ phase, children }: { phase: PlanPhase | null | undefined; children: preact.ComponentChildren }) {
  const { t } = useApp()
  return (
    <>
      {phase !== undefined && <h3>{phase?.name ?? t('plan_without_phase')}</h3>}
      <ol>{children}</ol>
    </>
  )
}

/** What the bar of a task shows, for screen readers. */
function InWords({ task }: { task: PlanTask }) {
  const { number, t, time } = useApp()
  const written = (moment: number | null) => (moment === null ? '–' : time(new Date(moment).toISOString()))
  const hours = `${number(task.hours)} ${unitOf('hours')}`
  return <span class="hidden">{t('plan_row', { begin: written(task.begin), end: written(task.end), hours })}</span>
}
