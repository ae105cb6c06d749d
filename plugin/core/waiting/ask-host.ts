/** Calls hooks of the host, so that each failure names the hook: an error that it throws, or a result that does not come. */
import { HookFailed, TimedOut } from '../errors.js'
import { inTime, NoAnswer } from './in-time.js'

/** Milliseconds that a hook of the host may take, unless the host says otherwise. */
export const HOOK_WITHIN = 10_000

/**
 * Calls a hook of the host and returns its result.
 *
 * @param place names the hook and its subject: `authorize for task.update`
 * @param passes true for errors that the host throws on purpose; they are thrown again unchanged
 * @throws HookFailed if it throws anything else
 * @throws TimedOut if its result does not come in time; the cause is a HookFailed
 */
export type AskHost = (place: string, ask: () => unknown, passes?: (error: unknown) => boolean) => Promise<unknown>

/** @param within milliseconds that one call may take */
export function createAskHost(within: number = HOOK_WITHIN): AskHost {
  return async (place, ask, passes) => {
    try {
      const answer = ask()
      // Most hooks return at once and need no timer.
      return await (isPromise(answer) ? inTime(within, Promise.resolve(answer)) : answer)
    } catch (error) {
      if (passes?.(error)) throw error
      const failure = new HookFailed(place, error)
      throw error instanceof NoAnswer ? new TimedOut(failure) : failure
    }
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
