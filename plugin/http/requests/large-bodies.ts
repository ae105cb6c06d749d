/** Bounds the large bodies of each caller that are read or worked on at the same time, in this process (ADR 0048). */
import { TooManyRequests } from '../../core/errors.js'

/** Bytes above which a body is large. */
export const LARGE = 262_144
/** Bodies of an array above which it is large as well: it keeps a transaction open for as long as an import of so many rows. */
export const MANY = 100
/** Maximum number of large bodies of a caller at the same time: each takes some megabytes until its call ends. */
const MAX_AT_ONCE = 4
/** Seconds after which a refused call may be repeated. */
const TRY_AGAIN_AFTER = 1

/** Large bodies in flight, by caller. */
export interface LargeBodies {
  /** Takes a place for the body of the caller, until the returned function is called, once or more. @throws TooManyRequests */
  enter(caller: string): () => void
}

/** Nothing is kept of callers without a large body in flight. */
export function createLargeBodies(): LargeBodies {
  const inFlight = new Map<string, number>()
  return {
    enter(caller) {
      const before = inFlight.get(caller) ?? 0
      if (before >= MAX_AT_ONCE) throw new TooManyRequests(TRY_AGAIN_AFTER)
      inFlight.set(caller, before + 1)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        const left = (inFlight.get(caller) ?? 1) - 1
        if (left > 0) inFlight.set(caller, left)
        else inFlight.delete(caller)
      }
    },
  }
}
