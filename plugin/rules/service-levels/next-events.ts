/** When a request has the next event about a target: a warning, then that it was missed (behaviour: Requests; ADR 61). */
import type { Instant } from '../../core/clock.js'
import { type AffectedFacts, thoseOfTeam } from './next-target.js'

/** Values of an affected SLA that events about targets follow from. */
export interface WarningFacts extends AffectedFacts {
  readonly response_warning_at: Instant | null
  readonly resolution_warning_at: Instant | null
  readonly stopped_clock_at: Instant | null
}

/** Values of the request. */
export interface EventFacts {
  readonly status: string
  /** Number of events about the target that there were: none, the warning, or both. */
  readonly response_events: number
  readonly resolution_events: number
}

/**
 * The times of the next events, about the affected SLA with the most stringent target. There is none for a completed request, and
 * none about the resolution while the requester has to answer.
 */
export function nextEvents(team: number | null, request: EventFacts, affected: readonly WarningFacts[]) {
  const ofTeam = request.status === 'completed' ? [] : thoseOfTeam(team, affected)
  const unanswered = ofTeam.filter(({ actual_response_at }) => actual_response_at === null)
  const [response] = inOrderOf('response', unanswered)
  const [resolution] = inOrderOf('resolution', ofTeam)
  const isStopped = request.status === 'waiting_for_customer' || (resolution && resolution.stopped_clock_at !== null)
  return {
    response_event_at: response
      ? nextOf(request.response_events, response.response_warning_at, response.response_target_at)
      : null,
    resolution_event_at:
      resolution && !isStopped
        ? nextOf(request.resolution_events, resolution.resolution_warning_at, resolution.resolution_target_at)
        : null,
  }
}

function nextOf(events: number, warning: Instant | null, target: Instant | null): Instant | null {
  return events === 0 ? warning : events === 1 ? target : null
}

/** Sorts those that have the target: the most stringent first, and of two with the same target the one with the earlier warning. */
function inOrderOf(target: 'response' | 'resolution', affected: readonly WarningFacts[]) {
  const timesOf = (one: WarningFacts) => `${one[`${target}_target_at`]} ${one[`${target}_warning_at`]}`
  const withTarget = affected.filter((one) => one[`${target}_target_at`] !== null)
  return withTarget.sort((one, other) => (timesOf(one) < timesOf(other) ? -1 : timesOf(one) > timesOf(other) ? 1 : 0))
}
