/** Work on other records for rules: each piece begins when the one before it has ended. */
import type { Call } from '../../core/call.js'
import { createPending, type Pending } from '../../core/waiting/pending-work.js'
import type { Storage } from '../../storage/database/connections.js'
import { turnsOf } from '../../storage/database/transaction.js'

export interface Turns extends Pick<Pending, 'isIdle' | 'idle'> {
  /** Does the work when it is its turn; after a failure no more work is done. */
  take<T>(work: () => Promise<T>): Promise<T>
  /** The first failure, even if a rule has caught it; null if there is none. */
  failure(): { readonly error: unknown } | null
  /** Refuses all further work with the error that this function makes. */
  close(tooLate: () => Error): void
}

/** Turns of one phase of rules, among all other work in the transaction of the call. */
export function createTurns(storage: Storage, call: Call): Turns {
  const pending = createPending()
  let failed: { readonly error: unknown } | null = null
  let closed: (() => Error) | null = null
  const unlessFailed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failed) throw failed.error
    try {
      return await work()
    } catch (error) {
      failed ??= { error }
      throw error
    }
  }
  return {
    isIdle: pending.isIdle,
    idle: pending.idle,
    async take(work) {
      if (closed) throw closed()
      return pending.track(turnsOf(storage, call).take(() => unlessFailed(work)))
    },
    failure: () => failed,
    close(tooLate) {
      closed = tooLate
    },
  }
}
