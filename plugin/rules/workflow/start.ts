/** Which tasks begin by themselves (behaviour: Tasks). */
import type { Moment } from '../../core/clock.js'
import { isDone, isRegistered } from './statuses.js'
import type { Predecessors, WorkflowTask } from './task.js'

/**
 * True when the tasks of a workflow may begin: it has no start, its start has come, or somebody has begun already. Canceling
 * registered tasks does not begin anything.
 */
export function hasStarted(startAt: Moment | null, now: Moment, statuses: readonly string[]): boolean {
  if (startAt === null || startAt <= now) return true
  return statuses.some((status) => !isRegistered(status) && status !== 'canceled')
}

/** The registered tasks that are to be assigned: nothing in front of them is left to do. */
export function toAssign(
  tasks: readonly WorkflowTask[],
  before: Predecessors,
  statusOf: (id: number) => string,
): readonly number[] {
  const isFree = (id: number) => (before.get(id) ?? []).every((other) => isDone(statusOf(other)))
  return tasks.map(({ id }) => id).filter((id) => isRegistered(statusOf(id)) && isFree(id))
}
