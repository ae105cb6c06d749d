/** Pauses that grow: before work is tried again that failed, or that another process was doing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallSignal } from '../call-signal.js'
import { unlessAborted } from './in-time.js'

/** Growth of pauses. */
export interface Backoff {
  /** Milliseconds of the first pause. */
  readonly firstMs: number
  /** Each pause is so many times as long as the one before; default 2. */
  readonly factor?: number
  /** No pause is longer; default without a limit. */
  readonly mostMs?: number
}

/** The pause after so many failures (1 for the first one), in milliseconds. */
export function pauseAfter(failures: number, { firstMs, factor = 2, mostMs = Number.POSITIVE_INFINITY }: Backoff): number {
  return Math.min(firstMs * factor ** Math.max(0, failures - 1), mostMs)
}

/**
 * Does the work, and again after each pause when it fails, up to so many times.
 *
 * @param options.isWorth says of an error whether trying again may help; default: of each one
 * @param options.random a number from 0 to 1 that shortens a pause, down to its half, so that many that failed together do not
 *   try again together; default: pauses are as long as they are
 * @param options.signal ends a pause: then its reason is thrown
 * @throws what the work throws at last
 */
export async function persistently<T>(
  work: () => Promise<T>,
  options: Backoff & {
    readonly repeats: number
    readonly isWorth?: (error: unknown) => boolean
    readonly random?: () => number
    readonly signal?: CallSignal
  },
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (failures > options.repeats || options.isWorth?.(error) === false) throw error
    }
    const pause = pauseAfter(failures, options) * (0.5 + (options.random?.() ?? 1) / 2)
    await (options.signal ? unlessAborted(options.signal, () => sleep(pause)) : sleep(pause))
  }
}
