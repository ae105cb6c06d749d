/** Source of the current time, passed as an argument: specs set it, hosts may supply their own. */
export interface Clock {
  /** The current time. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * Timestamp in the form in which records store it: ISO 8601 in UTC with whole seconds, `2026-11-21T09:30:00Z`. Texts of this
 * form sort by time and compare by `===`; storage and serializers convert at their own edge.
 */
export type Instant = string

/** Converts a date to the form that records store. */
export function instantOf(date: Date): Instant {
  return `${date.toISOString().slice(0, 19)}Z`
}
