/** Work that is in progress, whether its caller waits for it or not. */
export interface Pending {
  /** Counts the work until it ends. */
  track<T>(work: Promise<T>): Promise<T>
  /** True if all work has ended. */
  isIdle(): boolean
  /** Waits for all work, and for what follows from it. */
  idle(): Promise<void>
}

export function createPending(): Pending {
  const running = new Set<Promise<unknown>>()
  return {
    track(work) {
      const leave = () => void running.delete(ended)
      const ended: Promise<void> = work.then(leave, leave)
      running.add(ended)
      return work
    },
    isIdle: () => running.size === 0,
    async idle() {
      while (running.size > 0) {
        await Promise.all(running)
        // Functions that waited for it may continue here.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
