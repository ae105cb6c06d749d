/** Failures of operations in a transaction of the host for which nobody waits: the host takes the operations for done. */
import type { Log } from '../../core/log.js'
import type { HeardPromise } from '../../core/waiting/heard-promise.js'

/** An operation that has failed, and with what. */
export interface Failed {
  readonly error: unknown
  readonly operation: HeardPromise<unknown>
}

/** The failures in one transaction. */
export interface Failures {
  note(failed: Failed): void
  /** The first of which nobody has heard. */
  unheard(): Failed | null
  /** To be called when the host has been told: the transactions around this one need not fail for it as well. */
  told(): void
}

export function createFailures(): Failures {
  let all: readonly Failed[] = []
  const left = () => all.filter(({ operation }) => !operation.isHeard)
  return {
    note(failed) {
      all = [...left(), failed]
    },
    unheard: () => left()[0] ?? null,
    told() {
      for (const { operation } of all) operation.isHeard = true
    },
  }
}

/** For a transaction that has ended, so that no commit can fail any more. Its caller may wait in the same tick. */
export function logUnheard(log: Pick<Log, 'error'>, { error, operation }: Failed): void {
  setImmediate(() => {
    if (operation.isHeard) return
    log.error({ err: error }, 'An operation in a transaction of the host was not done, and nobody has waited for it')
  })
}
