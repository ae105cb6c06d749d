/** What changes, projects and releases follow from, computed from stored rows (behaviour: Tasks, Changes, Projects, Releases). */
import type { Row } from '../../plugin/schema/language/define-rule.js'
import type { Compute, StoredWorld } from './stored-world.js'

const REGISTERED = 'registered'
const DONE = ['completed', 'approved', 'canceled']
const HALTING = ['failed', 'rejected']
const FINISHED = [...DONE, ...HALTING]
const STAGES = ['risk_and_impact', 'approval', 'implementation']
const IMPACTS = ['none', 'low', 'medium', 'high', 'top']

const statusOf = (row: Row | undefined) => String(row?.['status'])
const isInHand = (row: Row) => ![REGISTERED, ...FINISHED].includes(statusOf(row))
const isFinished = (row: Row) => FINISHED.includes(statusOf(row))

/** The greatest of the values in an order. */
function greatest(values: readonly unknown[], order: readonly string[]): string {
  return order[Math.max(0, ...values.map((value) => order.indexOf(String(value))))] ?? ''
}

/** Names of the types around a workflow. */
interface Kind {
  readonly owner: string
  readonly task: string
  readonly decision: string
  readonly pairs: string
  readonly stages: readonly string[]
  stageOf(task: Row): string
}
const CHANGES: Kind = {
  ...{ owner: 'change', task: 'task', decision: 'task_approval', pairs: 'task_predecessors', stages: STAGES },
  stageOf: (task) => String(task['category']),
}
const PROJECTS: Kind = {
  ...{ owner: 'project', task: 'project_task', decision: 'project_task_assignment', pairs: 'project_task_predecessors' },
  stages: ['in_progress'],
  stageOf: () => 'in_progress',
}

const tasksOf = (kind: Kind, world: StoredWorld, owner: Row | undefined) =>
  world.by(kind.task, `${kind.owner}_id`, owner?.['id'])
const decisionsOn = (kind: Kind, world: StoredWorld, task: Row) => world.parts(kind.decision, kind.task, task['id'])

/** How far the tasks are; null without any. */
function progress(kind: Kind, world: StoredWorld, owner: Row): string | null {
  const tasks = tasksOf(kind, world, owner)
  if (tasks.length === 0) return null
  if (tasks.every((task) => DONE.includes(statusOf(task)))) return 'completed'
  if (tasks.some((task) => HALTING.includes(statusOf(task)))) return 'progress_halted'
  const open = tasks.filter(isInHand)
  const begun = open.length > 0 ? open : tasks.filter((task) => isFinished(task) && statusOf(task) !== 'canceled')
  return greatest(begun.map(kind.stageOf), [REGISTERED, ...kind.stages])
}

/** True for a reason that somebody has given, and that still stands. */
function isGiven(kind: Kind, world: StoredWorld, owner: Row): boolean {
  const hasReason = statusOf(owner) === 'completed' && owner['completion_reason'] && owner['reason_from_tasks'] === false
  return Boolean(hasReason) && tasksOf(kind, world, owner).every(isFinished)
}

/** Status, reason, and whether the reason is that of the tasks. */
function completion(kind: Kind, world: StoredWorld, owner: Row): Row {
  const far = progress(kind, world, owner)
  if (far === null || isGiven(kind, world, owner)) return owner
  if (far !== 'completed') return { status: far, completion_reason: null, reason_from_tasks: false }
  const isWithdrawn = tasksOf(kind, world, owner).every((task) => statusOf(task) === 'canceled')
  return { status: far, completion_reason: isWithdrawn ? 'withdrawn' : 'complete', reason_from_tasks: true }
}

const before = (kind: Kind, world: StoredWorld, task: Row) =>
  world.linked(kind.pairs, 'task_id', task['id']).map((id) => world.get(kind.task, id))
const isFree = (kind: Kind, world: StoredWorld, task: Row) =>
  statusOf(task) === REGISTERED && before(kind, world, task).every((one) => DONE.includes(statusOf(one)))
const isLater = (world: StoredWorld, time: unknown) => typeof time === 'string' && time > world.now

function hasStarted(kind: Kind, world: StoredWorld, owner: Row | undefined): boolean {
  if (!isLater(world, owner?.['start_at'])) return true
  return tasksOf(kind, world, owner).some((task) => ![REGISTERED, 'canceled'].includes(statusOf(task)))
}

/** The status that decisions give to a task in hand; null if they give none. */
function verdict(kind: Kind, world: StoredWorld, task: Row): string | null {
  const decisions = decisionsOn(kind, world, task).filter((one) => statusOf(one) !== 'canceled')
  const count = (status: string) => decisions.filter((one) => statusOf(one) === status).length
  if (task['category'] !== 'approval') {
    const areAll = kind === PROJECTS && decisions.length > 0 && count('completed') === decisions.length
    return areAll ? 'completed' : null
  }
  const required = Number(task['required_approvals'] ?? 1)
  const left = decisions.filter((one) => !isFinished(one)).length
  if (decisions.length > 0 && count('approved') >= required) return 'approved'
  return count('rejected') > 0 && count('approved') + left < required ? 'rejected' : null
}

function taskStatus(kind: Kind): Compute {
  return (task, world) => {
    const owner = world.get(kind.owner, task[`${kind.owner}_id`])
    if (isInHand(task)) return verdict(kind, world, task) ?? statusOf(task)
    const begins = isFree(kind, world, task) && hasStarted(kind, world, owner) && !isLater(world, task['start_at'])
    return begins ? 'assigned' : statusOf(task)
  }
}

function startsAt(kind: Kind): Compute {
  return (task, world) => {
    const owner = world.get(kind.owner, task[`${kind.owner}_id`])
    const waits = isFree(kind, world, task) && hasStarted(kind, world, owner) && isLater(world, task['start_at'])
    return waits ? task['start_at'] : null
  }
}

function decisionStatus(kind: Kind): Compute {
  return (decision, world) => {
    const task = world.get(kind.task, decision['owner_id'])
    if (statusOf(task) === REGISTERED) return REGISTERED
    if (task && isFinished(task)) return isFinished(decision) ? statusOf(decision) : 'canceled'
    return statusOf(decision) === REGISTERED ? 'assigned' : statusOf(decision)
  }
}

/** Times of what is open; what is finished keeps its own. */
const timed =
  (type: string, column: string): Compute =>
  (row, { times }) => {
    const key = `${type} ${row['id']} ${column}`
    return key in times ? times[key] : row[column]
  }

function phase(of: 'status' | 'started_at' | 'completed_at'): Compute {
  return (row, world) => {
    const tasks = world.by('project_task', 'phase_id', row['id'])
    const begun = tasks.some((task) => statusOf(task) !== REGISTERED && (statusOf(task) !== 'canceled' || task['assigned_at']))
    const ended = tasks.length > 0 && tasks.every(isFinished)
    if (of === 'status') return ended ? 'completed' : begun ? 'in_progress' : REGISTERED
    const isSo = of === 'started_at' ? begun : ended
    const was = world.before?.get('project_phase', row['id'])?.[of] ?? null
    // The time of the step in which it began or ended.
    return isSo ? (was ?? world.now) : null
  }
}

const changesOf = (world: StoredWorld, release: Row) => world.by('change', 'release_id', release['id'])

function releaseStatus(release: Row, world: StoredWorld): string {
  const statuses = changesOf(world, release).map(statusOf)
  if (statuses.length > 0 && statuses.every((status) => status === 'completed')) return 'completed'
  if (statuses.includes('progress_halted')) return 'progress_halted'
  const reached = statuses.map((status) => (status === 'completed' ? 'implementation' : status))
  return greatest(reached, [REGISTERED, ...STAGES])
}

/** What waits for a change or a project, when it ends. */
function outcome(column: 'status' | 'completion_reason' | 'member_id', isProblem = false): Compute {
  return (row, world) => {
    const type = isProblem ? 'problem' : 'request'
    const was = world.before?.get(type, row['id'])
    for (const kind of ['change', 'project']) {
      const owner = world.get(kind, row[`${kind}_id`])
      if (statusOf(owner) !== 'completed') continue
      const isWaiting = [row, was].some((one) => one && statusOf(one) === `${kind}_pending`)
      // What somebody has done since is no outcome.
      if (!isWaiting || statusOf(world.before?.get(kind, owner?.['id'])) === 'completed') continue
      if (isProblem) return column === 'status' ? 'assigned' : row['manager_id']
      const isComplete = owner?.['completion_reason'] === 'complete'
      if (column === 'status') return isComplete ? 'completed' : 'assigned'
      return isComplete ? 'solved' : null
    }
    return row[column] ?? null
  }
}

function requestReason(request: Row, world: StoredWorld): unknown {
  const reason = outcome('completion_reason')(request, world)
  return statusOf(request) === 'completed' ? reason : null
}

const workflow = (kind: Kind): Record<string, Compute> => ({
  [`${kind.owner}.status`]: (row, world) => completion(kind, world, row)['status'],
  [`${kind.owner}.completion_reason`]: (row, world) => completion(kind, world, row)['completion_reason'],
  [`${kind.owner}.reason_from_tasks`]: (row, world) => completion(kind, world, row)['reason_from_tasks'],
  [`${kind.owner}.completion_target_at`]: timed(kind.owner, 'completion_target_at'),
  [`${kind.task}.status`]: taskStatus(kind),
  [`${kind.task}.starts_at`]: startsAt(kind),
  [`${kind.task}.anticipated_assignment_at`]: timed(kind.task, 'anticipated_assignment_at'),
  [`${kind.task}.completion_target_at`]: timed(kind.task, 'completion_target_at'),
  [`${kind.decision}.status`]: decisionStatus(kind),
})

export const WORKFLOWS: Readonly<Record<string, Compute>> = {
  ...workflow(CHANGES),
  ...workflow(PROJECTS),
  'change.impact': (row, world) =>
    greatest(
      tasksOf(CHANGES, world, row).map(({ impact }) => impact),
      IMPACTS,
    ),
  'change.starts_at': (row, world) => {
    const isWaiting = tasksOf(CHANGES, world, row).some((task) => isFree(CHANGES, world, task))
    return isWaiting && !hasStarted(CHANGES, world, row) ? row['start_at'] : null
  },
  'task.member': (row, world) => {
    const [one, ...others] = row['category'] === 'approval' ? decisionsOn(CHANGES, world, row) : []
    return one ? (others.length === 0 ? one['approver_id'] : null) : row['member_id']
  },
  'project_phase.status': phase('status'),
  'project_phase.started_at': phase('started_at'),
  'project_phase.completed_at': phase('completed_at'),
  'project_task.phase': (row, world) => (world.get('project_phase', row['phase_id']) ? row['phase_id'] : null),
  'release.status': releaseStatus,
  'release.completion_reason': (row, world) => {
    const reasons = new Set(changesOf(world, row).map(({ completion_reason }) => completion_reason))
    if (releaseStatus(row, world) !== 'completed') return null
    return reasons.size === 1 ? [...reasons][0] : 'partial'
  },
  'release.impact': (row, world) =>
    greatest(
      changesOf(world, row).map(({ impact }) => impact),
      IMPACTS,
    ),
  'release.completion_target_at': timed('release', 'completion_target_at'),
  'request.status': outcome('status'),
  'request.completion_reason': requestReason,
  'problem.status': outcome('status', true),
  'problem.member': outcome('member_id', true),
}
