/** Projects and their phases follow from their tasks (spec, Project; behaviour: Projects, Project tasks, Phases). */
import { AROUND_THE_CLOCK } from '../../core/time/working-time.js'
import type { Row } from '../../schema/language/define-rule.js'
import { follow, type SettledValues } from '../../schema/language/define-settling.js'
import type { Approval } from './approvals.js'
import { COMPLETION, completionIn, completionOf, lastTarget, progressFrom, progressMoves, progressOf } from './progress.js'
import { IN_HAND, isFinished, isRegistered } from './statuses.js'
import { advance, DECISION_MOVES, TASK_MOVES, tasksFrom, verdictOnApproval } from './workflow.js'
import { decisionsByTask, tasksOf, textOf, type WorkflowTask } from './workflow-task.js'

const STAGES = ['in_progress'] as const

interface ProjectTask {
  readonly phase_id: number | null
}

/** Moves the tasks of a project, and the project and its phases with them. A project without tasks is left as it is. */
export const projectWorkflow = follow('workflow', {
  of: {
    tasks: { type: 'project_task', by: 'project' },
    assignments: { part: 'project_task_assignment', of: 'tasks' },
    order: { link: 'predecessors', of: 'tasks' },
    phases: { part: 'project_phase' },
    calendars: { calendars: 'work_hours' },
  },
  fields: [...COMPLETION, 'completion_target_at', 'work_hours', 'time_zone'],
  keeps: {
    ...progressFrom([]),
    completion_target_at: ['tasks', 'tasks.completion_target_at'],
    ...tasksFrom({ decisions: 'assignments', start: [], hours: ['work_hours', 'time_zone'] }),
    'phases.status': ['tasks', 'tasks.phase', 'tasks.status'],
    'phases.started_at': ['tasks', 'tasks.phase', 'tasks.status'],
    'phases.completed_at': ['tasks', 'tasks.phase', 'tasks.status'],
  },
  moves: {
    owner: progressMoves(STAGES),
    tasks: [...TASK_MOVES, { from: [...IN_HAND], to: 'completed', when: 'everybody with an assignment has completed it' }],
    assignments: DECISION_MOVES,
    phases: [
      { from: ['registered', 'completed'], to: 'in_progress', when: 'a task of the phase has begun, and not all are finished' },
      { from: ['registered', 'in_progress'], to: 'completed', when: 'all tasks of the phase are finished' },
      { from: ['in_progress', 'completed'], to: 'registered', when: 'no task of the phase has begun any more' },
    ],
  },
  decide({ owner, tasks: rows, assignments, order, phases, calendars, now, zone }) {
    const tasks = tasksOf<ProjectTask>(rows)
    if (tasks.length === 0) return { owner: { completion_target_at: null } }
    const decisions = decisionsByTask(assignments)
    const calendar = calendars.get(Number(owner['work_hours_id'] ?? 0)) ?? AROUND_THE_CLOCK
    const hours = calendar.in(textOf(owner['time_zone']) ?? zone)
    const {
      decisions: asked,
      statuses,
      tasks: values,
    } = advance({
      tasks,
      order,
      now,
      decisionsOf: (id) => decisions.get(id) ?? [],
      startAt: null,
      createdAt: textOf(owner['created_at']) ?? now,
      verdict: verdictOnAssignments,
      afterWork: (_task, moment, minutes) => hours.instantAfter(moment, minutes),
    })
    const states = tasks.map((task) => ({ ...task, status: statuses.get(task.id) ?? task.status }))
    const progress = progressOf(states, STAGES, () => 'in_progress')
    return {
      owner: {
        ...completionOf(completionIn(owner), progress, [...statuses.values()]),
        completion_target_at: lastTarget([...values.values()]),
      },
      tasks: values,
      assignments: asked,
      phases: new Map(
        phases.map((phase) => [
          Number(phase['id']),
          phaseOf(
            phase,
            states.filter(({ phase_id }) => phase_id === phase['id']),
            now,
          ),
        ]),
      ),
    }
  },
})

/** Approval tasks are approved as those of changes are; others are completed when all who work on them have done so. */
function verdictOnAssignments(task: WorkflowTask, assignments: readonly Approval[]): string | null {
  if (task.category === 'approval') return verdictOnApproval(task, assignments)
  const counting = assignments.filter(({ status }) => status !== 'canceled')
  return counting.length > 0 && counting.every(({ status }) => status === 'completed') ? 'completed' : null
}

/** A phase begins with the first of its tasks that begins, even if that one is canceled later, and ends with the last one. */
export function phaseOf(
  phase: Row,
  tasks: readonly Pick<WorkflowTask, 'assigned_at' | 'status'>[],
  now: string,
): SettledValues {
  const hasBegun = tasks.some((task) => !isRegistered(task.status) && (task.status !== 'canceled' || task.assigned_at !== null))
  const hasEnded = tasks.length > 0 && tasks.every(({ status }) => isFinished(status))
  const status = hasEnded ? 'completed' : hasBegun ? 'in_progress' : 'registered'
  return {
    status,
    started_at: hasBegun ? (phase['started_at'] ?? now) : null,
    completed_at: hasEnded ? (phase['completed_at'] ?? now) : null,
  }
}
