/** Expected times of the tasks of a workflow, forward along their predecessors (behaviour: Tasks). */
import type { Instant } from '../../core/clock.js'
import { isFinished, isHalting, isRegistered } from './statuses.js'
import { inOrder, type Predecessors, type WorkflowTask } from './workflow-task.js'

/** Expected times of a task; null if they are unknown. */
export interface TaskTimes {
  readonly anticipated_assignment_at: Instant | null
  readonly completion_target_at: Instant | null
}

/** The time after this many working minutes; null if the task is never worked on. */
export type AfterWork<T> = (task: T, moment: Instant, minutes: number) => Instant | null

/**
 * The expected times of all tasks. A registered task begins when the last of its predecessors is expected to end, the first
 * ones at the start of the workflow, and none before its own earliest start. After a failed or rejected task no times are
 * expected. A finished task keeps its target: later changes of work hours do not tell whether it was met. Results depend only on
 * stored values, so that they stay the same until a task or the work hours change.
 */
export function schedule<T extends WorkflowTask>(
  tasks: readonly T[],
  before: Predecessors,
  start: Instant | null,
  afterWork: AfterWork<T>,
): ReadonlyMap<number, TaskTimes> {
  const times = new Map<number, TaskTimes>()
  const ends = new Map<number, Instant | null>()
  for (const task of inOrder(tasks, before)) {
    const predecessors = (before.get(task.id) ?? []).map((id) => ends.get(id) ?? null)
    const free = predecessors.length === 0 ? start : latest(predecessors)
    const expected = free === null ? null : later(free, task.start_at)
    const begins = isRegistered(task.status) ? expected : task.assigned_at
    // A canceled task keeps what was expected of it; what is still to begin has no older expectation to keep.
    const anticipated = isRegistered(task.status) ? expected : (task.assigned_at ?? task.anticipated_assignment_at)
    const minutes = (task.planned_duration ?? 0) * MINUTES_PER_HOUR
    const computed = begins === null ? null : afterWork(task, later(begins, task.start_at), minutes)
    const target = keepsTarget(task) ? task.completion_target_at : computed
    times.set(task.id, { anticipated_assignment_at: anticipated, completion_target_at: target })
    ends.set(task.id, endOf(task, target))
  }
  return times
}

const MINUTES_PER_HOUR = 60

/** True for a finished task whose target was computed from the time at which it was assigned. */
function keepsTarget({ anticipated_assignment_at, assigned_at, status }: WorkflowTask): boolean {
  return isFinished(status) && assigned_at !== null && anticipated_assignment_at === assigned_at
}

/** The time at which the following tasks may begin. */
function endOf({ status, finished_at }: WorkflowTask, target: Instant | null): Instant | null {
  if (isHalting(status)) return null
  return isFinished(status) ? (finished_at ?? target) : target
}

/** The last of some times; null if one of them is unknown. */
export function latest(times: readonly (Instant | null)[]): Instant | null {
  let last: Instant | null = null
  for (const time of times) {
    if (time === null) return null
    if (last === null || time > last) last = time
  }
  return last
}

function later(one: Instant, other: Instant | null): Instant {
  return other !== null && other > one ? other : one
}
