/** The target of a request that has to be met next (spec, Request: next_target_at rules). */
import type { Moment } from '../../core/clock.js'

/** Values in place of the time of a target. */
export type TargetWord = 'best_effort' | 'clock_stopped' | 'no_target'
export type Target = Moment | TargetWord

const WORDS: readonly string[] = ['best_effort', 'clock_stopped', 'no_target'] satisfies readonly TargetWord[]

/** Facts of a request that its next target follows from. */
export interface RequestFacts {
  readonly status: string
  readonly response_target_at: string | null
  readonly resolution_target_at: string | null
  readonly desired_completion_at: Moment | null
}

/**
 * The next target; null for a completed request. Without a desired completion, the response target always comes first.
 *
 * @param accountabilities those of its affected SLAs
 */
export function nextTarget(request: RequestFacts, accountabilities: readonly (string | null)[]): string | null {
  const { desired_completion_at: desired, resolution_target_at: resolution, response_target_at: response, status } = request
  if (status === 'completed') return null
  if (isTime(response) && (desired === null || response < desired)) return response
  if (desired !== null) return desired
  if (status === 'waiting_for_customer') return accountabilities.some(isAccountable) ? 'clock_stopped' : 'best_effort'
  return resolution ?? 'best_effort'
}

/** True if somebody is accountable: the clock of such an SLA stops while the customer has to answer. */
export function isAccountable(accountability: string | null): boolean {
  return accountability === 'provider' || accountability === 'supplier'
}

/** True for a time; words cannot be compared with one. */
function isTime(target: string | null): target is Moment {
  return target !== null && !WORDS.includes(target)
}
