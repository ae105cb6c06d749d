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
   * Removes values. Callers that wait for a running load still get its value, but it is not cached: it may have been read
   * before the change.
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
}

interface Entry<T> {
  readonly since: number
  readonly loading: Promise<T>
  loaded: { readonly value: T } | null
}

/** Creates an empty cache. */
export function createShortMemory<T>({ clock, lasts, max, isWorth = () => true }: ShortMemoryOptions<T>): ShortMemory<T> {
  const entries = new Map<string, Entry<T>>()

  const start = (key: string, load: () => Promise<T>, now: number): Promise<T> => {
    const loading = load()
    const entry: Entry<T> = { since: now, loading, loaded: null }
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > max) entries.delete(entries.keys().next().value ?? '')
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    const keep = (value: T) => {
      if (isWorth(value)) entry.loaded = { value }
      else drop()
    }
    loading.then(keep, drop)
    return loading
  }

  return {
    async recall(key, load) {
      const now = clock.now().getTime()
      const found = entries.get(key)
      // A clock that was set back must not make a value last longer.
      if (found && found.since <= now && now < found.since + lasts)
        return { value: found.loaded ? found.loaded.value : await found.loading, isRemembered: true }
      return { value: await start(key, load, now), isRemembered: false }
    },
    renew: async (key, load) => start(key, load, clock.now().getTime()),
    forget(isConcerned) {
      if (!isConcerned) return entries.clear()
      for (const [key, { loaded }] of entries) if (!loaded || isConcerned(loaded.value)) entries.delete(key)
    },
  }
}
