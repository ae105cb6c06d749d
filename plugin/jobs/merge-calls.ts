/** Does `work` for a key, or waits for a round that another caller began later than now. Rejects as that round does. */
export type MergedCall = (key: string, work: () => Promise<void>) => Promise<void>

/**
 * Makes a function that does work for a key at most once at a time. Callers that come while it is under way share one more
 * round after it: what they want to be seen may have come too late for the present one.
 */
export function mergeCalls(): MergedCall {
  const present = new Map<string, Promise<void>>()
  const following = new Map<string, Promise<void>>()

  return function call(key: string, work: () => Promise<void>): Promise<void> {
    const underWay = present.get(key)
    if (!underWay) {
      const round = work().finally(() => present.delete(key))
      present.set(key, round)
      return round
    }
    const queued = following.get(key)
    if (queued) return queued
    const begin = () => {
      following.delete(key)
      return call(key, work)
    }
    const round = underWay.then(begin, begin)
    following.set(key, round)
    return round
  }
}
