/** What the approvers of a task decide together (behaviour: Tasks). */
import { isFinished, isInHand, isRegistered } from './statuses.js'

/** A decision of one approver. */
export interface Approval {
  readonly id: number
  readonly status: string
}

/**
 * The status that the decisions give to a task: approved when enough approvers have approved, rejected as soon as those who
 * have not decided cannot reach that number; null while neither is so. Without a rejection nothing is rejected: approvers may
 * still be added.
 */
export function verdictOf(required: number, approvals: readonly Pick<Approval, 'status'>[]): 'approved' | 'rejected' | null {
  const statuses = approvals.map(({ status }) => status).filter((status) => status !== 'canceled')
  const approved = statuses.filter((status) => status === 'approved').length
  if (statuses.length > 0 && approved >= required) return 'approved'
  const open = statuses.filter((status) => !isFinished(status)).length
  return statuses.includes('rejected') && approved + open < required ? 'rejected' : null
}

/**
 * The status that an approval must have for the task to be in this one; null when it stays as it is. Approvers are asked when
 * the task is assigned, and no longer when it is finished; a task that is registered again begins anew.
 */
export function approvalStatus(task: string, approval: string): string | null {
  if (isRegistered(task)) return isRegistered(approval) ? null : 'registered'
  if (isInHand(task)) return isRegistered(approval) ? 'assigned' : null
  return isFinished(approval) ? null : 'canceled'
}
