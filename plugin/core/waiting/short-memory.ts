/** Caches loaded values for a short time. Concurrent callers with the same key share one load. */
import type { Clock } from '../clock.js'

/** A cached value. */
export interface Recalled<T> {
  readonly value: T
  /** True if the load began before this caller asked for the value. */
  readonly isRemembered: boolean
}

/** Cache of values by key. */
export interface ShortMemory<T> {
  /** Returns the cached value, or loads it. @throws the error of the load, which is not cached */
  recall(key: string, load: () => Promise<T>): Promise<Recalled<T>>
  /** Loads the value again, even if it is cached. */
  renew(key: string, load: () => Promise<T>): Promise<T>
  /**
   * Removes values, except those that stay for a while (see `afterChange`). Callers that wait for a running load still get its
   * value, but it is not cached: it may have been read before the change.
   *
   * @param isConcerned default: all of them
   */
  forget(isConcerned?: (value: T) => boolean): void
}

/** Limits of a cache. */
export interface ShortMemoryOptions<T> {
  readonly clock: Clock
  /** Milliseconds for which a value is cached, from the start of its load. */
  readonly lasts: number
  /** Maximum number of values; the oldest ones are removed first. */
  readonly max: number
  /** False for values that must not be cached. Default: all are cached. */
  readonly isWorth?: (value: T) => boolean
  /** Values that may be returned for some time after they were to be forgotten. Default: none. */
  readonly afterChange?: {
    /** Milliseconds from the start of the load. */
    readonly lasts: number
    readonly isFor: (value: T) => boolean
  }
}

interface Entry<T> {
  readonly since: number
  readonly loading: Promise<T>
  loaded: { readonly value: T } | null
  /** True after a change: the value may be out of date. */
  isOutdated: boolean
}

/** Creates an empty cache. */
export function createShortMemory<T>(options: ShortMemoryOptions<T>): ShortMemory<T> {
  const { clock, lasts, max, isWorth = () => true, afterChange } = options
  const entries = new Map<string, Entry<T>>()
  const stays = (value: T) => afterChange?.isFor(value) === true

  const start = (key: string, load: () => Promise<T>, now: number): Promise<T> => {
    const loading = load()
    const entry: Entry<T> = { since: now, loading, loaded: null, isOutdated: false }
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > max) entries.delete(entries.keys().next().value ?? '')
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    const keep = (value: T) => {
      if (isWorth(value) && (!entry.isOutdated || stays(value))) entry.loaded = { value }
      else drop()
    }
    loading.then(keep, drop)
    return loading
  }

  const recall: ShortMemory<T>['recall'] = async (key, load) => {
    const now = clock.now().getTime()
    const found = entries.get(key)
    const until = (found?.since ?? 0) + (found?.isOutdated ? Math.min(lasts, afterChange?.lasts ?? 0) : lasts)
    // A clock that was set back must not make a value last longer.
    if (!found || now < found.since || now >= until) return { value: await start(key, load, now), isRemembered: false }
    const { isOutdated } = found
    const value = found.loaded ? found.loaded.value : await found.loading
    // A value that must not stay is not cached by now.
    return isOutdated && !stays(value) ? recall(key, load) : { value, isRemembered: true }
  }

  return {
    recall,
    renew: async (key, load) => start(key, load, clock.now().getTime()),
    forget(isConcerned) {
      for (const [key, entry] of entries) {
        const { loaded } = entry
        if (loaded && isConcerned && !isConcerned(loaded.value)) continue
        entry.isOutdated = true
        if (loaded ? !stays(loaded.value) : !afterChange) entries.delete(key)
      }
    },
  }
}
