/** Changes follow from their tasks (spec, States and transitions; behaviour: Tasks, Changes). */
import { AROUND_THE_CLOCK, type Calendar, type WorkingTime } from '../../core/time/working-time.js'
import type { Row } from '../../schema/language/define-rule.js'
import { follow } from '../../schema/language/define-settling.js'
import {
  COMPLETION,
  completionIn,
  completionOf,
  highest,
  IMPACTS,
  lastTarget,
  progressFrom,
  progressMoves,
  progressOf,
  STAGES,
} from './progress.js'
import { advance, DECISION_MOVES, TASK_MOVES, tasksFrom, verdictOnApproval } from './workflow.js'
import { decisionsByTask, tasksOf, textOf } from './workflow-task.js'

interface ChangeTask {
  readonly impact: string | null
  readonly team_id: number | null
}

/**
 * Moves the tasks of a change: decisions of approvers count, tasks begin when all before them are finished, and what is left
 * gets its expected times. Status, reason, impact and target of the change follow from its tasks. A change without tasks is
 * left as it is.
 */
export const changeWorkflow = follow('workflow', {
  of: {
    tasks: { type: 'task', by: 'change' },
    approvals: { part: 'task_approval', of: 'tasks' },
    order: { link: 'predecessors', of: 'tasks' },
    teams: { refersTo: 'team', of: 'tasks' },
    calendars: { calendars: 'work_hours', of: 'teams' },
  },
  fields: [...COMPLETION, 'impact', 'completion_target_at', 'start_at', 'starts_at'],
  keeps: {
    ...progressFrom(['tasks.category']),
    impact: ['tasks', 'tasks.impact'],
    completion_target_at: ['tasks', 'tasks.completion_target_at'],
    starts_at: ['start_at', 'tasks', 'tasks.status'],
    ...tasksFrom({
      decisions: 'approvals',
      start: ['start_at'],
      hours: ['tasks.team', 'teams.work_hours', 'teams.time_zone', 'account.time_zone'],
    }),
    'tasks.member': ['approvals', 'approvals.approver', 'tasks.category'],
  },
  moves: { owner: progressMoves(STAGES), tasks: TASK_MOVES, approvals: DECISION_MOVES },
  decide({ owner, tasks: rows, approvals, order, teams, calendars, now, zone }) {
    const tasks = tasksOf<ChangeTask>(rows)
    if (tasks.length === 0) return { owner: { impact: 'none', completion_target_at: null, starts_at: null } }
    const decisions = decisionsByTask(approvals)
    const hoursOf = workingHours(teams, calendars, zone)
    const {
      decisions: asked,
      startsAt,
      statuses,
      tasks: moved,
    } = advance({
      tasks,
      order,
      now,
      decisionsOf: (id) => decisions.get(id) ?? [],
      startAt: textOf(owner['start_at']),
      createdAt: textOf(owner['created_at']) ?? now,
      verdict: verdictOnApproval,
      afterWork: ({ team_id }, moment, minutes) => hoursOf(team_id).instantAfter(moment, minutes),
    })
    const states = tasks.map(({ category, id, status }) => ({ category, status: statuses.get(id) ?? status }))
    const progress = progressOf(states, STAGES, (category) => STAGES.find((stage) => stage === category))
    const values = new Map([...moved].map(([id, more]) => [id, { ...more }]))
    for (const { category, id } of tasks) {
      // One approver is the member of the task, several take the place of a member.
      const [approver, ...others] = category === 'approval' ? (decisions.get(id) ?? []) : []
      if (approver) values.set(id, { ...values.get(id), member_id: others.length === 0 ? approver.person : null })
    }
    return {
      owner: {
        ...completionOf(completionIn(owner), progress, [...statuses.values()]),
        impact: highest(
          tasks.map(({ impact }) => impact),
          IMPACTS,
        ),
        completion_target_at: lastTarget([...values.values()]),
        starts_at: startsAt,
      },
      tasks: values,
      approvals: asked,
    }
  },
})

/** The working time of each team, in its own time zone or that of the account; always, where a team has no hours. */
function workingHours(
  teams: readonly Row[],
  calendars: ReadonlyMap<number, Calendar>,
  zone: string,
): (team: number | null) => WorkingTime {
  const hours = new Map(
    teams.map(({ id, time_zone, work_hours_id }) => {
      const calendar = calendars.get(Number(work_hours_id ?? 0)) ?? AROUND_THE_CLOCK
      return [Number(id), calendar.in(textOf(time_zone) ?? zone)]
    }),
  )
  const always = AROUND_THE_CLOCK.in('UTC')
  return (team) => hours.get(team ?? 0) ?? always
}
