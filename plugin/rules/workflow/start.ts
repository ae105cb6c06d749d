/** Tasks that begin automatically (behaviour: Tasks). */
import type { Instant } from '../../core/clock.js'
import { isDone, isRegistered } from './statuses.js'
import type { Predecessors, WorkflowTask } from './workflow-task.js'

/**
 * True if the tasks of a workflow may begin: it has no start time, its start time is reached, or work on a task has already
 * begun. Canceling registered tasks does not count as that.
 */
export function hasStarted(startAt: Instant | null, now: Instant, statuses: readonly string[]): boolean {
  if (startAt === null || startAt <= now) return true
  return statuses.some((status) => !isRegistered(status) && status !== 'canceled')
}

/** The registered tasks that wait for no other one: all of their predecessors are done. */
export function withoutPredecessors<T extends WorkflowTask>(
  tasks: readonly T[],
  before: Predecessors,
  statusOf: (id: number) => string,
): readonly T[] {
  const isFree = (id: number) => (before.get(id) ?? []).every((other) => isDone(statusOf(other)))
  return tasks.filter(({ id }) => isRegistered(statusOf(id)) && isFree(id))
}
