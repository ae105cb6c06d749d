/** When a failed delivery is sent again. Pure (behaviour: Webhook delivery). */
import { nextAttempt } from '../core/waiting/next-attempt.js'
import type { Attempt } from './attempt.js'

/** Pauses are longer by up to this share, so that receivers that failed together are not asked again together. */
const SPREAD = 0.1
/** Hexadecimal digits of a receiver's key from which the share for one attempt comes. */
const DIGITS = 4

/** Deliveries that failed alike and are due again at the same time. */
export interface FailedGroup {
  readonly attempts: readonly Attempt[]
  /** Null if they are not sent again. */
  readonly next: Date | null
}

/**
 * Returns the time at which the delivery of a failed attempt is sent again: after the usual pause, and not before the time for which
 * the receiver asks. The first time it asks, its time counts alone, since it may be shorter than the usual pause. Null after the
 * last attempt, and if the receiver does not want the message.
 */
export function nextTry({ at, delivery: { attempts: before, receiver }, outcome }: Attempt): Date | null {
  if (outcome.ok || outcome.isFinal) return null
  const attempts = before + 1
  const failedAt = endOfSecond(at)
  const usual = nextAttempt(attempts, failedAt)
  if (usual === null) return null
  const { retryAt } = outcome
  const least = retryAt ? (nextAttempt(before, failedAt) ?? usual) : usual
  const wanted = retryAt && (before === 0 || retryAt > least) ? retryAt : least
  return new Date(wanted.getTime() + Math.round((wanted.getTime() - failedAt.getTime()) * SPREAD * shareOf(receiver, attempts)))
}

/** Groups failures with the same time and reason: they get the same values, so that one statement is enough. */
export function groupFailures(failed: readonly Attempt[], reasonOf: (attempt: Attempt) => string): Iterable<FailedGroup> {
  const found = new Map<string, { attempts: Attempt[]; next: Date | null }>()
  for (const attempt of failed) {
    const next = nextTry(attempt)
    const key = `${attempt.delivery.attempts} ${next?.getTime()} ${reasonOf(attempt)}`
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

/** A number from 0 to 1: the same for all deliveries to a receiver after as many attempts, so that they keep their order. */
function shareOf(receiver: string, attempts: number): number {
  const digits = receiver.slice((attempts - 1) * DIGITS, attempts * DIGITS)
  return Number.parseInt(digits || '0', 16) / 16 ** DIGITS
}
