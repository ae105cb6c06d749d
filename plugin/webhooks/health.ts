/**
 * Health of a webhook: consecutive failures and their consequences. Pure (spec, Events, Delivery 7; behaviour: Webhook health).
 */

/** Failures since the last success. Counts attempts, not deliveries. */
export interface Health {
  readonly failures: number
  /** Time of the first failure since the last success; null if there is none. */
  readonly failingSince: Date | null
}

export const HEALTHY: Health = { failures: 0, failingSince: null }

/** Consecutive failures after which a webhook may be disabled. */
const FAILURES_TO_DISABLE = 20
/** Milliseconds that these failures must span before the webhook is disabled. */
const FAILING_FOR = 7 * 24 * 3600_000

/** Maximum number of requests in flight to a receiver, and to a failing one, which must not occupy the places of others. */
const AT_ONCE = 16
const AT_ONCE_WHEN_FAILING = 2
const FAILURES_TO_SLOW_DOWN = 5

/** Returns the health after one more attempt, which ended at `at`. Any success resets it. */
export function afterAttempt(health: Health, succeeded: boolean, at: Date): Health {
  if (succeeded) return HEALTHY
  return { failures: health.failures + 1, failingSince: health.failingSince ?? at }
}

/** True if the webhook must be disabled: at least 20 failures in a row, over more than one week. */
export function mustDisable(health: Health, at: Date): boolean {
  if (health.failingSince === null || health.failures < FAILURES_TO_DISABLE) return false
  return at.getTime() - health.failingSince.getTime() > FAILING_FOR
}

/** Maximum number of requests in flight to the receiver. */
export function concurrencyFor(health: Health): number {
  return health.failures >= FAILURES_TO_SLOW_DOWN ? AT_ONCE_WHEN_FAILING : AT_ONCE
}
