/** One step of a workflow: the new values of its tasks and approvals (behaviour: Tasks, Project tasks). */
import type { Instant } from '../../core/clock.js'
import type { LinkPair, SettledValues } from '../../schema/language/define-settling.js'
import type { Keeps } from '../../schema/language/keeps.js'
import type { Move } from '../../schema/language/moves.js'
import { type Approval, approvalStatus, verdictOf } from './approvals.js'
import { type AfterWork, schedule } from './schedule.js'
import { hasStarted, withoutPredecessors } from './start.js'
import { IN_HAND, isFinished, isInHand, isRegistered } from './statuses.js'
import { predecessorsOf, type WorkflowTask } from './workflow-task.js'

/** How settlings of a workflow move its tasks. */
export const TASK_MOVES: readonly Move[] = [
  {
    from: ['registered'],
    to: 'assigned',
    when: 'work has started, its earliest start has come, and every task before it is completed, approved or canceled',
  },
  { from: [...IN_HAND], to: 'approved', when: 'enough approvers have approved' },
  { from: [...IN_HAND], to: 'rejected', when: 'the approvers who are left cannot reach the required number any more' },
]

/** How settlings of a workflow move the approvals and assignments of its tasks. */
export const DECISION_MOVES: readonly Move[] = [
  { to: 'assigned', when: 'its task is assigned, or taken up again after it was finished' },
  { to: 'registered', when: 'its task is registered again' },
  { from: ['registered', ...IN_HAND], to: 'canceled', when: 'its task is finished without it' },
]

interface TaskInputs {
  /** The source of approvals or assignments. */
  readonly decisions: string
  /** The start of the workflow. */
  readonly start: readonly string[]
  /** What the times of the tasks are counted in. */
  readonly hours: readonly string[]
}

/** What `advance` keeps. */
export function tasksFrom({ decisions, hours, start }: TaskInputs): Keeps {
  const begins = [...start, 'order', 'tasks.status', 'tasks.start_at']
  const times = [...begins, ...hours, 'tasks.assigned_at', 'tasks.finished_at', 'tasks.planned_duration']
  const byDecisions = [decisions, `${decisions}.status`, 'tasks.required_approvals', 'tasks.category']
  return {
    'tasks.status': [...begins, ...byDecisions],
    'tasks.starts_at': begins,
    'tasks.anticipated_assignment_at': times,
    'tasks.completion_target_at': times,
    [`${decisions}.status`]: ['tasks.status'],
  }
}

/** A workflow as it is stored. */
export interface Workflow<T extends WorkflowTask> {
  readonly tasks: readonly T[]
  /** Approvals, or assignments, of a task. */
  readonly decisionsOf: (id: number) => readonly Approval[]
  readonly order: readonly LinkPair[]
  /** The time at which the first tasks begin; null if they begin at once. */
  readonly startAt: Instant | null
  readonly createdAt: Instant
  readonly now: Instant
  /** The status of a task by its decisions; null if they do not change it. */
  readonly verdict: (task: T, decisions: readonly Approval[]) => string | null
  readonly afterWork: AfterWork<T>
}

/** The new values of a workflow. */
export interface Advanced {
  /** Status of each task. */
  readonly statuses: ReadonlyMap<number, string>
  readonly tasks: ReadonlyMap<number, SettledValues>
  readonly decisions: ReadonlyMap<number, SettledValues>
  /** The time at which tasks begin without any other change; null if no task waits for it. */
  readonly startsAt: Instant | null
}

/** Applies the decisions, begins the tasks that can begin, and computes the expected times of the others. */
export function advance<T extends WorkflowTask>(workflow: Workflow<T>): Advanced {
  const { decisionsOf, now, order, startAt, tasks } = workflow
  const statuses = new Map(tasks.map((task) => [task.id, statusByDecisions(workflow, task)]))
  const before = predecessorsOf(tasks, order)
  const free = withoutPredecessors(tasks, before, (id) => statuses.get(id) ?? '')
  const started = hasStarted(startAt, now, [...statuses.values()])
  // Tasks of a workflow that has not started wait for that, not for their own time.
  const waiting = new Map<number, Instant>()
  for (const { id, start_at } of started ? free : []) {
    if (start_at !== null && start_at > now) waiting.set(id, start_at)
    else statuses.set(id, 'assigned')
  }
  const current = tasks.map((task) => {
    const status = statuses.get(task.id) ?? task.status
    // Tasks that begin or end in this step get the same time when they are saved.
    const assigned_at = isRegistered(status) ? null : (task.assigned_at ?? (isInHand(status) ? now : null))
    return { ...task, status, assigned_at, finished_at: isFinished(status) ? (task.finished_at ?? now) : null }
  })
  const times = schedule(current, before, startAt ?? workflow.createdAt, workflow.afterWork)
  const decisions = new Map<number, SettledValues>()
  for (const { id, status: was } of tasks) {
    const is = statuses.get(id) ?? was
    for (const decision of decisionsOf(id)) {
      const next = approvalStatus({ was, is }, decision.status)
      if (next !== null) decisions.set(decision.id, { status: next })
    }
  }
  return {
    statuses,
    tasks: new Map(current.map(({ id, status }) => [id, { status, starts_at: waiting.get(id) ?? null, ...times.get(id) }])),
    decisions,
    startsAt: started || free.length === 0 ? null : startAt,
  }
}

/** Decisions count only while the task is in hand: not before the approvers were asked, and not after it is finished. */
function statusByDecisions<T extends WorkflowTask>({ decisionsOf, verdict }: Workflow<T>, task: T): string {
  return (isInHand(task.status) ? verdict(task, decisionsOf(task.id)) : null) ?? task.status
}

/** The verdict on an approval task. */
export function verdictOnApproval(task: WorkflowTask, decisions: readonly Approval[]): string | null {
  return task.category === 'approval' ? verdictOf(task.required_approvals ?? 1, decisions) : null
}
