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
const AT_ONCE_WHEN_FAILING = 1
/** Consecutive failures after which single requests probe whether the receiver is back. */
export const FAILURES_TO_PROBE = 5
/** Consecutive failures after which a mail warns that the webhook may be disabled. */
const FAILURES_TO_WARN = FAILURES_TO_DISABLE / 2
/** Milliseconds between two probes. */
const BETWEEN_PROBES = 60_000

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

/** True if the failures since `before` are so many that a mail warns of the end: once, until a success. */
export function mustWarn(before: Health, after: Health): boolean {
  return before.failures < FAILURES_TO_WARN && after.failures >= FAILURES_TO_WARN
}

/** Maximum number of requests in flight to the receiver. */
export function concurrencyFor(health: Health): number {
  return isProbed(health) ? AT_ONCE_WHEN_FAILING : AT_ONCE
}

/** Time of the next probe; null if the receiver is not failing, and gets its deliveries as they come. */
export function nextProbe(health: Health, failedAt: Date): Date | null {
  return isProbed(health) ? new Date(failedAt.getTime() + BETWEEN_PROBES) : null
}

function isProbed({ failures }: Health): boolean {
  return failures >= FAILURES_TO_PROBE
}
