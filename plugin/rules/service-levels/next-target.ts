/** The target of a request that has to be met next (spec, Request: next_target_at rules). */
import type { Instant } from '../../core/clock.js'

/** Values in place of the time of a target. */
export type TargetWord = 'best_effort' | 'clock_stopped' | 'no_target'

const WORDS: readonly string[] = ['best_effort', 'clock_stopped', 'no_target'] satisfies readonly TargetWord[]

/** Facts of a request that its next target follows from. */
export interface RequestFacts {
  readonly status: string
  readonly response_target_at: string | null
  readonly resolution_target_at: string | null
  readonly desired_completion_at: Instant | null
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
function isTime(target: string | null): target is Instant {
  return target !== null && !WORDS.includes(target)
}

/** Values of an affected SLA that targets of its request follow from. */
export interface AffectedFacts {
  readonly accountability: string | null
  readonly first_line_team_id: number | null
  readonly support_team_id: number | null
  readonly response_target_at: Instant | null
  readonly resolution_target_at: Instant | null
  readonly actual_response_at: Instant | null
  readonly covers_requester: boolean
}

/**
 * The most stringent targets of the affected SLAs: for the team, those that it is responsible for; for the requester, those that
 * cover the person that the request is for. A response that was given is no target any more.
 */
export function strictestTargets(team: number | null, affected: readonly AffectedFacts[]) {
  const counting = affected.filter(isCounting)
  const ofTeam = thoseOfTeam(team, affected)
  const unanswered = ofTeam.filter(({ actual_response_at }) => actual_response_at === null)
  const covering = counting.filter(({ covers_requester }) => covers_requester)
  return {
    response_target_at: earliest(unanswered.map(({ response_target_at }) => response_target_at)),
    resolution_target_at: earliest(ofTeam.map(({ resolution_target_at }) => resolution_target_at)),
    requester_resolution_target_at: earliest(covering.map(({ resolution_target_at }) => resolution_target_at)),
  }
}

/** The affected SLAs that the team is responsible for. */
export function thoseOfTeam<A extends AffectedFacts>(team: number | null, affected: readonly A[]): readonly A[] {
  const isOf = ({ first_line_team_id, support_team_id }: A) => first_line_team_id === team || support_team_id === team
  return team === null ? [] : affected.filter((one) => isCounting(one) && isOf(one))
}

function isCounting({ accountability }: AffectedFacts): boolean {
  return accountability !== 'sla_not_affected'
}

function earliest(moments: readonly (Instant | null)[]): Instant | null {
  return moments.reduce((first, one) => (one !== null && (first === null || one < first) ? one : first), null)
}
