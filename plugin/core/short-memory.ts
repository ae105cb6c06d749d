/** Remembers what was loaded for a short time. Callers who ask for the same at the same time share one load. */
import type { Clock } from './clock.js'

/** A value of a memory. */
export interface Recalled<T> {
  readonly value: T
  /** True when the load began before this caller asked. */
  readonly isRemembered: boolean
}

/** Values by key, each for a short time. */
export interface ShortMemory<T> {
  /** The remembered value, or else the loaded one. @throws the error of the load, which is not remembered */
  recall(key: string, load: () => Promise<T>): Promise<Recalled<T>>
  /** Loads again, whatever is remembered. */
  renew(key: string, load: () => Promise<T>): Promise<T>
  /**
   * Forgets values. A load that is under way still ends for those who wait for it, but is not remembered: it may have read what
   * was there before the change.
   *
   * @param isConcerned default: all of them
   */
  forget(isConcerned?: (value: T) => boolean): void
}

/** Limits of a memory. */
export interface ShortMemoryOptions<T> {
  readonly clock: Clock
  /** Milliseconds, counted from the beginning of the load. */
  readonly lasts: number
  /** Maximum number of values; the oldest ones go first. */
  readonly max: number
  /** False for values that are not remembered; default: all are. */
  readonly isWorth?: (value: T) => boolean
}

interface Entry<T> {
  readonly since: number
  readonly loading: Promise<T>
  loaded: { readonly value: T } | null
}

/** Creates an empty memory. */
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
      if (found && found.since <= now && now < found.since + lasts) return { value: await found.loading, isRemembered: true }
      return { value: await start(key, load, now), isRemembered: false }
    },
    renew: async (key, load) => start(key, load, clock.now().getTime()),
    forget(isConcerned) {
      if (!isConcerned) return entries.clear()
      for (const [key, { loaded }] of entries) if (!loaded || isConcerned(loaded.value)) entries.delete(key)
    },
  }
}
