/** Statuses of the tasks of a change or a project, by their effect on the workflow (behaviour: Tasks). */

/** Statuses of finished tasks. */
export const FINISHED_STATUSES = ['failed', 'rejected', 'completed', 'approved', 'canceled'] as const

const REGISTERED = 'registered'
/** Statuses of tasks that are assigned to a person or team. */
export const IN_HAND = ['declined', 'assigned', 'accepted', 'in_progress', 'waiting_for'] as const
/** Statuses after which the following tasks may begin. */
const DONE: readonly string[] = ['completed', 'approved', 'canceled']
/** Statuses that stop the workflow until a person decides. */
const HALTING: readonly string[] = ['failed', 'rejected']

/** True if the task has not been assigned yet. */
export function isRegistered(status: string): boolean {
  return status === REGISTERED
}

/** True while the task is assigned to a person or team. */
export function isInHand(status: string): boolean {
  return !isRegistered(status) && !isFinished(status)
}

/** True if the task is finished. */
export function isFinished(status: string): boolean {
  return (FINISHED_STATUSES as readonly string[]).includes(status)
}

/** True if the following tasks may begin. */
export function isDone(status: string): boolean {
  return DONE.includes(status)
}

/** True if the task stops its workflow. */
export function isHalting(status: string): boolean {
  return HALTING.includes(status)
}
