/** What the views of a plan share. */
import type { RecordType } from '../../core/read-catalog.js'
import { pageOf } from '../../core/record-name.js'
import { useApp } from '../../core/use-app.js'
import { Link } from '../../parts/basics.js'
import type { PlanTask } from './read-plan.js'

export type Deciding = ReadonlyMap<number, number | null>

/** What each view shows. */
export interface ViewProps {
  /** Of the tasks. */
  readonly type: RecordType
  /** Each after those before it. */
  readonly tasks: readonly PlanTask[]
  /** The tasks that decide the end: the id of each, and of the one behind it. */
  readonly deciding: Deciding
}

/** The sign of tasks that decide the end. Screen readers get it in words. */
export function DecidingMark() {
  return (
    <span class="deciding-mark" aria-hidden="true">
      ◆
    </span>
  )
}

interface TaskLinkProps {
  readonly type: ViewProps['type']
  readonly task: Pick<PlanTask, 'id' | 'subject'>
  readonly isDeciding?: boolean
}

/** A task by its subject, with a sign if it decides the end. */
export function TaskLink({ type, task, isDeciding = false }: TaskLinkProps) {
  const { t } = useApp()
  const page = pageOf(type, task.id)
  return (
    <>
      {isDeciding && (
        <>
          <DecidingMark /> <span class="hidden">{t('plan_decides')}: </span>
        </>
      )}
      {page === null ? task.subject : <Link to={page}>{task.subject}</Link>}
    </>
  )
}

/** A length of the drawing for styles: drawings grow with the text of the page. */
export function lengthOf(pixels: number): string {
  return `${pixels / 16}rem`
}
