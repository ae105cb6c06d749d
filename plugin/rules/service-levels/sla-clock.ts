/** The clock of an affected SLA: targets, and the times at which they were met (behaviour: Affected SLAs). */
import type { Instant } from '../../core/clock.js'
import type { WorkingTime } from '../../core/time/working-time.js'

/** Stored values of an affected SLA. */
export interface ClockState {
  readonly accountability: string | null
  readonly maximum_response_duration: number | null
  readonly maximum_resolution_duration: number | null
  readonly started_at: Instant | null
  readonly actual_response_at: Instant | null
  readonly actual_resolution_at: Instant | null
  readonly stopped_clock_at: Instant | null
  readonly stopped_clock_duration: number
}

/** Values of its request. */
export interface ClockRequest {
  readonly status: string
  readonly completed_at: Instant | null
  readonly desired_completion_at: Instant | null
}

/** Statuses of requests that have got no response yet. */
const UNANSWERED: readonly string[] = ['assigned', 'declined']

/**
 * Values that follow from the status of the request. The clock stands still while the requester has to answer; the minutes
 * until the answer move the targets. All minutes are counted in support hours. A time that was reached is kept; only reopening
 * the request clears the resolution.
 *
 * @param warnAtPercent the part of the time until a target after which somebody is warned
 */
export function clockAt(now: Instant, state: ClockState, request: ClockRequest, support: WorkingTime, warnAtPercent: number) {
  const { desired_completion_at, status } = request
  const started = state.started_at ?? now
  // Clocks of processes differ a little.
  const time = now > started ? now : started
  const isStopped = status === 'waiting_for_customer'
  const isCompleted = status === 'completed'
  const stood = !isStopped && state.stopped_clock_at !== null ? support.minutesBetween(state.stopped_clock_at, time) : 0
  const stopped_clock_duration = state.stopped_clock_duration + stood
  const targetOf = (maximum: number | null, more: number) =>
    maximum === null ? null : support.instantAfter(started, maximum + more)
  const warningOf = (maximum: number | null, more: number) =>
    targetOf(maximum === null ? null : Math.ceil((maximum * warnAtPercent) / 100), more)
  const response = state.actual_response_at ?? (UNANSWERED.includes(status) ? null : time)
  // The request may have been completed before this SLA was affected.
  const completed = request.completed_at ?? time
  const resolved = completed > started ? completed : started
  const resolution = isCompleted ? (state.actual_resolution_at ?? resolved) : null
  const values = {
    started_at: started,
    stopped_clock_at: isStopped ? (state.stopped_clock_at ?? time) : null,
    stopped_clock_duration,
    // The clock stops only after a response.
    response_target_at: targetOf(state.maximum_response_duration, 0),
    resolution_target_at: targetOf(state.maximum_resolution_duration, stopped_clock_duration),
    response_warning_at: warningOf(state.maximum_response_duration, 0),
    resolution_warning_at: warningOf(state.maximum_resolution_duration, stopped_clock_duration),
    actual_response_at: response,
    actual_resolution_at: resolution,
    actual_response_duration: response === null ? null : support.minutesBetween(started, response),
    actual_resolution_duration:
      resolution === null ? null : Math.max(0, support.minutesBetween(started, resolution) - stopped_clock_duration),
    desired_completion_at,
  }
  return { ...values, next_target_at: nextOf(state.accountability, values) }
}

/** The target that has to be met next; null if there is none. */
function nextOf(
  accountability: string | null,
  values: {
    readonly [name in
      | 'actual_response_at'
      | 'actual_resolution_at'
      | 'stopped_clock_at'
      | 'response_target_at'
      | 'resolution_target_at'
      | 'desired_completion_at']: Instant | null
  },
): string | null {
  if (accountability === 'sla_not_affected' || values.actual_resolution_at !== null) return null
  if (values.stopped_clock_at !== null) return 'clock_stopped'
  if (values.actual_response_at === null && values.response_target_at !== null) return values.response_target_at
  const { desired_completion_at: desired, resolution_target_at: resolution } = values
  if (desired !== null && resolution !== null && desired > resolution) return desired
  return resolution ?? 'best_effort'
}
