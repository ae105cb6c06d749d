/** What the API says of an affected SLA, in the form in which it is drawn: its moments, and whether its targets are met. */
import type { Output } from '../../core/api.js'

export type State = 'met' | 'late' | 'open' | 'paused' | 'none'

/** Fields with the moments of an affected SLA. */
export const MOMENTS = [
  'started_at',
  'response_target_at',
  'actual_response_at',
  'stopped_clock_at',
  'resolution_target_at',
  'desired_completion_at',
  'actual_resolution_at',
] as const
export type MomentName = (typeof MOMENTS)[number] | 'now'

export interface Moment {
  readonly name: MomentName
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The moment in a field; null if it has none, or a word in place of one. */
export function momentIn(record: Output, field: string): number | null {
  const value = record[field]
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

export const isAffected = (record: Output) => record['accountability'] !== 'sla_not_affected'

/** From the earliest to the latest; now is one of them until the request is resolved. */
export function momentsOf(record: Output, now: number): readonly Moment[] {
  const stored = MOMENTS.flatMap((name): readonly Moment[] => {
    const at = momentIn(record, name)
    return at === null ? [] : [{ name, at }]
  })
  const isOpen = isAffected(record) && momentIn(record, 'actual_resolution_at') === null
  const all = isOpen && stored.length > 0 ? [...stored, { name: 'now', at: now } as const] : stored
  return all.toSorted((one, other) => one.at - other.at)
}

/** The first answer does not wait for the customer: this clock never stands still. */
export function responseState(record: Output, now: number): State {
  return stateOf(record, momentIn(record, 'response_target_at'), momentIn(record, 'actual_response_at'), now)
}

export function resolutionState(record: Output, now: number): State {
  const [target, stopped] = [momentIn(record, 'resolution_target_at'), momentIn(record, 'stopped_clock_at')]
  const resolved = momentIn(record, 'actual_resolution_at')
  if (resolved !== null || stopped === null) return stateOf(record, target, resolved, now)
  // The target moves when the clock goes on: until then it is missed only if it was before the clock stood still.
  const state = stateOf(record, target, resolved, stopped)
  return state === 'open' ? 'paused' : state
}

function stateOf(record: Output, target: number | null, done: number | null, now: number): State {
  if (target === null || !isAffected(record)) return 'none'
  if (done !== null) return done <= target ? 'met' : 'late'
  return now <= target ? 'open' : 'late'
}
