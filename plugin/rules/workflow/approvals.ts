/** Combined decisions of the approvers of a task (behaviour: Tasks). */
import { isFinished, isInHand, isRegistered } from './statuses.js'

/** A decision of one approver. */
export interface Approval {
  readonly id: number
  readonly status: string
  /** Id of the approver, or of the person who is assigned. */
  readonly person: number
}

/**
 * The status of a task by its decisions: approved if enough approvers have approved, rejected as soon as the remaining ones
 * cannot reach that number; else null. Never rejected without a rejection: approvers may still be added.
 */
export function verdictOf(required: number, approvals: readonly Pick<Approval, 'status'>[]): 'approved' | 'rejected' | null {
  const statuses = approvals.map(({ status }) => status).filter((status) => status !== 'canceled')
  const approved = statuses.filter((status) => status === 'approved').length
  if (statuses.length > 0 && approved >= required) return 'approved'
  const open = statuses.filter((status) => !isFinished(status)).length
  return statuses.includes('rejected') && approved + open < required ? 'rejected' : null
}

/**
 * The new status of an approval when its task goes from one status to another, or keeps it; null if it stays. Approvers are
 * asked when the task is assigned, and no longer after it is finished. If a task begins again, so do its approvals: what was
 * decided before would decide at once.
 */
export function approvalStatus(task: { readonly was: string; readonly is: string }, approval: string): string | null {
  if (isRegistered(task.is)) return isRegistered(approval) ? null : 'registered'
  if (!isInHand(task.is)) return isFinished(approval) ? null : 'canceled'
  const isAsked = isRegistered(task.was) || isRegistered(approval)
  return isAsked && approval !== 'assigned' ? 'assigned' : null
}
