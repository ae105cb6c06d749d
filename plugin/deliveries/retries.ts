/** When a failed delivery is sent again. Pure (behaviour: Delivery). */
import { nextAttempt } from '../core/waiting/next-attempt.js'
import type { Attempt, Failure } from './delivery.js'

/** Pauses of receivers are longer by up to this share, so that those that failed together are not asked again together. */
const SPREAD = 0.1
/** Hexadecimal digits of a lane's digest from which the share for one attempt comes. */
const DIGITS = 4

/** Deliveries that failed alike and are due again at the same time. */
export interface FailedGroup {
  readonly attempts: readonly Attempt<Failure>[]
  /** Null if they are not sent again. */
  readonly next: Date | null
}

/** Returns when something is tried after so many failures, the last one at `failedAt`; null after the last attempt. */
export type Waits = (failures: number, failedAt: Date) => Date | null

/**
 * Returns the time at which the delivery of a failed attempt is sent again: after the usual pause, and not before the time for which
 * the receiver asks. The first time it asks, its time counts alone, since it may be shorter than the usual pause. Null after the
 * last attempt, and if the receiver does not want the message.
 */
export function nextTry({ at, delivery: { attempts: before }, outcome }: Attempt, waits: Waits = nextAttempt): Date | null {
  if (outcome.ok || outcome.isFinal) return null
  const failedAt = endOfSecond(at)
  const usual = waits(before + 1, failedAt)
  if (usual === null) return null
  const { retryAt } = outcome
  const least = retryAt && before > 0 ? (waits(before, failedAt) ?? usual) : usual
  return retryAt && (before === 0 || retryAt > least) ? retryAt : least
}

/**
 * Makes a pause longer, by 0 to 10 %: the same share for all deliveries of a lane after as many attempts, so that they keep their
 * order. @param attempt of a lane whose name is a digest in hexadecimal digits
 */
export function spread({ at, delivery: { attempts, lane } }: Attempt, next: Date): Date {
  const digits = lane.slice(attempts * DIGITS, (attempts + 1) * DIGITS)
  const share = Number.parseInt(digits || '0', 16) / 16 ** DIGITS
  return new Date(next.getTime() + Math.round((next.getTime() - endOfSecond(at).getTime()) * SPREAD * share))
}

/** Groups failures with the same time and reason: they get the same values, so that one statement is enough. */
export function groupFailures(
  failed: readonly Attempt<Failure>[],
  nextOf: (attempt: Attempt) => Date | null,
): Iterable<FailedGroup> {
  const found = new Map<string, { attempts: Attempt<Failure>[]; next: Date | null }>()
  for (const attempt of failed) {
    const next = nextOf(attempt)
    const key = `${attempt.delivery.putBackAt} ${attempt.delivery.attempts} ${next?.getTime()} ${attempt.outcome.reason}`
    const group = found.get(key)
    if (group) group.attempts.push(attempt)
    else found.set(key, { attempts: [attempt], next })
  }
  return found.values()
}

/** Deliveries that failed in the same second become due at the same time, so that they keep their order. */
function endOfSecond(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 1000) * 1000)
}
