/** Runs `work` for a key. While a run is in progress, all new callers share the next run and its result or error. */
export type MergedCall = (key: string, work: () => Promise<void>) => Promise<void>

/**
 * Creates a function that runs work for a key at most once at a time. Callers that come during a run share the next one: the
 * present run may already have read what they have changed since.
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
