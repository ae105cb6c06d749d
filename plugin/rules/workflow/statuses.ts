/** Statuses of the tasks of a change or a project, by what they mean for the workflow (behaviour: Tasks). */

/** Nothing more is to be done for the task. */
export const FINISHED_STATUSES = ['failed', 'rejected', 'completed', 'approved', 'canceled'] as const

const REGISTERED = 'registered'
/** Of these, tasks behind may begin. */
const DONE: readonly string[] = ['completed', 'approved', 'canceled']
/** These stop the workflow until somebody decides. */
const HALTING: readonly string[] = ['failed', 'rejected']

/** True before the task was given to anybody. */
export function isRegistered(status: string): boolean {
  return status === REGISTERED
}

/** True while somebody has the task. */
export function isInHand(status: string): boolean {
  return !isRegistered(status) && !isFinished(status)
}

/** True when nothing more is to be done for the task. */
export function isFinished(status: string): boolean {
  return (FINISHED_STATUSES as readonly string[]).includes(status)
}

/** True when the tasks behind may begin. */
export function isDone(status: string): boolean {
  return DONE.includes(status)
}

/** True when the task stops its workflow. */
export function isHalting(status: string): boolean {
  return HALTING.includes(status)
}
