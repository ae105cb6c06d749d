/** One step of a workflow: what its tasks and approvals must be now (behaviour: Tasks, Project tasks). */
import type { Moment } from '../../core/clock.js'
import type { LinkPair, SettledValues } from '../../schema/define-settling.js'
import { type Approval, approvalStatus, verdictOf } from './approvals.js'
import { type AfterWork, schedule } from './schedule.js'
import { hasStarted, toAssign } from './start.js'
import { isFinished, isInHand, isRegistered } from './statuses.js'
import { predecessorsOf, type WorkflowTask } from './task.js'

/** A workflow as it is stored. */
export interface Workflow<T extends WorkflowTask> {
  readonly tasks: readonly T[]
  /** Approvals, or assignments, of a task. */
  readonly decisionsOf: (id: number) => readonly Approval[]
  readonly order: readonly LinkPair[]
  /** The time at which the first tasks begin; null when they begin at once. */
  readonly startAt: Moment | null
  readonly createdAt: Moment
  readonly now: Moment
  /** The status that the decisions give to a task; null when they give none. */
  readonly verdict: (task: T, decisions: readonly Approval[]) => string | null
  readonly afterWork: AfterWork<T>
}

/** A workflow as it must be. */
export interface Advanced {
  /** Status of each task. */
  readonly statuses: ReadonlyMap<number, string>
  readonly tasks: ReadonlyMap<number, SettledValues>
  readonly decisions: ReadonlyMap<number, SettledValues>
  /** The time at which nothing but the clock lets tasks begin; null when nothing waits for it. */
  readonly startsAt: Moment | null
}

/** Counts the decisions, begins what can begin, and expects the rest. */
export function advance<T extends WorkflowTask>(workflow: Workflow<T>): Advanced {
  const { decisionsOf, now, order, startAt, tasks } = workflow
  const statuses = new Map(tasks.map((task) => [task.id, statusByDecisions(workflow, task)]))
  const before = predecessorsOf(tasks, order)
  const free = toAssign(tasks, before, (id) => statuses.get(id) ?? '')
  const started = hasStarted(startAt, now, [...statuses.values()])
  if (started) for (const id of free) statuses.set(id, 'assigned')
  const current = tasks.map((task) => {
    const status = statuses.get(task.id) ?? task.status
    // What begins or ends with this step is stamped with the same time when it is saved.
    const assigned_at = isRegistered(status) ? null : (task.assigned_at ?? (isInHand(status) ? now : null))
    return { ...task, status, assigned_at, finished_at: isFinished(status) ? (task.finished_at ?? now) : null }
  })
  const times = schedule(current, before, startAt ?? workflow.createdAt, workflow.afterWork)
  const decisions = new Map<number, SettledValues>()
  for (const { id, status } of current) {
    for (const decision of decisionsOf(id)) {
      const next = approvalStatus(status, decision.status)
      if (next !== null) decisions.set(decision.id, { status: next })
    }
  }
  return {
    statuses,
    tasks: new Map(current.map(({ id, status }) => [id, { status, ...times.get(id) }])),
    decisions,
    startsAt: started || free.length === 0 ? null : startAt,
  }
}

/** Decisions count while the task is in hand: before, nobody was asked, and afterwards it is too late. */
function statusByDecisions<T extends WorkflowTask>({ decisionsOf, verdict }: Workflow<T>, task: T): string {
  return (isInHand(task.status) ? verdict(task, decisionsOf(task.id)) : null) ?? task.status
}

/** The verdict on an approval task. */
export function verdictOnApproval(task: WorkflowTask, decisions: readonly Approval[]): string | null {
  return task.category === 'approval' ? verdictOf(task.required_approvals ?? 1, decisions) : null
}
