/** Work on other records for rules: each piece begins when the one before it has ended. */

export interface Turns {
  /** Does the work when it is its turn; after a failure no more work is done. */
  take<T>(work: () => Promise<T>): Promise<T>
  /** True if all work has ended. */
  isIdle(): boolean
  /** Waits for all work, also work that the rule does not wait for. */
  idle(): Promise<void>
  /** The first failure, even if a rule has caught it; null if there is none. */
  failure(): { readonly error: unknown } | null
  /** Refuses all further work with the error that this function makes. */
  close(tooLate: () => Error): void
}

/** Turns of one phase of rules. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  let failed: { readonly error: unknown } | null = null
  let closed: (() => Error) | null = null
  return {
    take(work) {
      if (closed) return Promise.reject(closed())
      open += 1
      const turn = last.then(() => {
        if (failed) throw failed.error
        return work()
      })
      last = turn
        .catch((error: unknown) => {
          failed ??= { error }
        })
        .finally(() => {
          open -= 1
        })
      return turn
    },
    isIdle: () => open === 0,
    async idle() {
      while (open > 0) {
        await last
        // The rule may continue here.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    failure: () => failed,
    close(tooLate) {
      closed = tooLate
    },
  }
}
