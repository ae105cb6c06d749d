/** Work on other records that rules ask for: each piece begins when the one before it has ended. */

export interface Turns {
  /** Does the work when it is its turn; nothing more is done once something has failed. */
  take<T>(work: () => Promise<T>): Promise<T>
  /** True when all work has ended. */
  isIdle(): boolean
  /** Waits for all work, also for work that the rule does not wait for. */
  idle(): Promise<void>
  /** What has failed first, also when a rule has caught it; null when nothing has. */
  failure(): { readonly error: unknown } | null
  /** Refuses with this error whatever is asked for from now on. */
  close(error: Error): void
}

/** Turns of one phase of rules. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  let failed: { readonly error: unknown } | null = null
  let closed: Error | null = null
  return {
    take(work) {
      if (closed) return Promise.reject(closed)
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
        // The rule may go on from here.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    failure: () => failed,
    close(error) {
      closed = error
    },
  }
}
