/** A plan as a table: what the drawings show, in words. On a narrow screen each task becomes a card. */
import { useApp } from '../../core/use-app.js'
import { useGradually } from '../../core/use-gradually.js'
import { EnumValue, Nothing, unitOf } from '../../parts/value.js'
import { TaskLink, type ViewProps } from './plan-parts.js'
import type { PlanTask } from './read-plan.js'

export function PlanTable({ type, tasks, deciding }: ViewProps) {
  const { number, t } = useApp()
  const labelOf = (name: string) => type.fields.find((field) => field.name === name)?.label ?? name
  const status = type.fields.find(({ name }) => name === 'status')
  const names = new Map(tasks.map(({ id, subject }) => [id, subject]))
  const has = (of: (task: PlanTask) => unknown) => tasks.some((task) => of(task) !== null)
  const columns = [
    ...(has(({ phase }) => phase) ? [{ label: labelOf('phase'), show: ({ phase }: PlanTask) => phase?.name ?? null }] : []),
    ...(has(({ who }) => who) ? [{ label: t('plan_who'), show: ({ who }: PlanTask) => who }] : []),
  ]
  const count = useGradually(tasks.length)
  const hasDeadlines = has(({ deadline }) => deadline)
  return (
    <div class="table plan-table" aria-busy={count < tasks.length}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="wide">
              {type.label}
            </th>
            {[labelOf('status'), ...columns.map(({ label }) => label), t('plan_begin'), t('plan_end')].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            {hasDeadlines && <th scope="col">{labelOf('deadline')}</th>}
            <th scope="col">{labelOf('planned_duration')}</th>
            <th scope="col" class="wide">
              {labelOf('predecessors')}
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.slice(0, count).map((task) => (
            <tr key={task.id} class={deciding.has(task.id) ? 'deciding' : undefined}>
              <td class="first">
                <TaskLink type={type} task={task} isDeciding={deciding.has(task.id)} />
              </td>
              <td data-label={labelOf('status')} class="short">
                {status && <EnumValue field={status} value={task.status} isShort />}
              </td>
              {columns.map(({ label, show }) => (
                <td key={label} data-label={label}>
                  {show(task) ?? <Nothing />}
                </td>
              ))}
              <td data-label={t('plan_begin')}>
                <Moment time={task.begin} isExpected={!task.hasBegun} />
              </td>
              <td data-label={t('plan_end')}>
                <Moment time={task.end} isExpected={!task.isFinished} />
              </td>
              {hasDeadlines && (
                <td data-label={labelOf('deadline')}>
                  <Moment time={task.deadline} isExpected={false} />
                </td>
              )}
              <td data-label={labelOf('planned_duration')} class="short">
                {number(task.hours)}&nbsp;{unitOf('hours')}
              </td>
              <td data-label={labelOf('predecessors')}>
                <Before type={type} task={task} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Moment({ time, isExpected }: { time: number | null; isExpected: boolean }) {
  const { t, time: written } = useApp()
  if (time === null) return <Nothing />
  const moment = new Date(time).toISOString()
  return (
    <span class="moment">
      <time dateTime={moment}>{written(moment)}</time>
      {isExpected && <small> {t('plan_expected')}</small>}
    </span>
  )
}

/** The tasks before a task, also those that the plan does not have: other pages, or records that the person may not see. */
function Before({ type, task, names }: { type: ViewProps['type']; task: PlanTask; names: ReadonlyMap<number, string> }) {
  const { number, t } = useApp()
  const known = task.after.filter((id) => names.has(id))
  const others = task.after.length - known.length
  if (task.after.length === 0) return <Nothing />
  return (
    <ul class="plan-before">
      {known.map((id) => (
        <li key={id}>
          <TaskLink type={type} task={{ id, subject: names.get(id) ?? '' }} />
        </li>
      ))}
      {others > 0 && <li>{t('plan_others', { count: number(others) })}</li>}
    </ul>
  )
}
