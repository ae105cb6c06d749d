/** How a webhook does: consecutive failures, and what follows from them. Pure. Specification: Events, Delivery 7; gaps 5.3. */

/** Failures since the last success. Attempts count, not messages. */
export interface Health {
  readonly failures: number
  /** The first failure since the last success; null when there is none. */
  readonly failingSince: Date | null
}

export const HEALTHY: Health = { failures: 0, failingSince: null }

/** Consecutive failures after which a webhook may be disabled … */
const FAILURES_TO_DISABLE = 20
/** … once they span more than this, in milliseconds. */
const FAILING_FOR = 7 * 24 * 3600_000

/** Requests in flight to one receiver, and to one that has been failing: it must not take the places of others. */
const AT_ONCE = 16
const AT_ONCE_WHEN_FAILING = 2
const FAILURES_TO_SLOW_DOWN = 5

/** The health after one more attempt, which ended at `at`. Any success starts anew. */
export function afterAttempt(health: Health, succeeded: boolean, at: Date): Health {
  if (succeeded) return HEALTHY
  return { failures: health.failures + 1, failingSince: health.failingSince ?? at }
}

/** True when the service disables the webhook: at least 20 failures in a row, over more than one week. */
export function mustDisable(health: Health, at: Date): boolean {
  if (health.failingSince === null || health.failures < FAILURES_TO_DISABLE) return false
  return at.getTime() - health.failingSince.getTime() > FAILING_FOR
}

/** How many requests may be in flight to the receiver at the same time. */
export function concurrencyFor(health: Health): number {
  return health.failures >= FAILURES_TO_SLOW_DOWN ? AT_ONCE_WHEN_FAILING : AT_ONCE
}
