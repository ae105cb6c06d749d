/** Lets calls wait for messages. All waiting calls of a process share one look at the table a second, and hold no connection. */
import { TooManyRequests } from '../core/errors.js'

/** The place of a call that waits; it may wait several times. */
export interface Place {
  /**
   * Waits until the newest message has another number. False if that does not happen within the time, or `gone` aborts, or the
   * process stops.
   *
   * @throws what the look at the table throws
   */
  arrival(after: number, milliseconds: number, gone: AbortSignal): Promise<boolean>
  /** To be called when the call ends. */
  leave(): void
}

/** Waiting for messages. */
export interface Arrivals {
  /** Takes a place for one call of a person. @throws TooManyRequests if the person, or the process, has too many of them */
  enter(person: number): Place
  /** Ends all waiting, also that of calls to come. */
  close(): void
}

export interface ArrivalsDeps {
  /** The number of the newest message; 0 without any. */
  newest(): Promise<number>
  /** Milliseconds between two looks at the table. Default: one second. */
  readonly everyMs?: number
}

const EVERY_MS = 1000
/** Places of a person, and of a process. */
export const MAX_OF_PERSON = 5
const MAX_OF_PROCESS = 500
/** Seconds after which a refused call may be repeated. */
const TRY_AGAIN_AFTER = 5

interface Waiter {
  readonly after: number
  end(arrived: boolean | Error): void
}

/** Opens the waiting room. Looks at the table only while somebody waits. */
export function createArrivals({ newest, everyMs = EVERY_MS }: ArrivalsDeps): Arrivals {
  const places = new Map<number, number>()
  const waiters = new Set<Waiter>()
  let taken = 0
  let isClosed = false
  let timer: NodeJS.Timeout | null = null

  const look = async () => {
    try {
      if (waiters.size === 0) return
      const number = await newest()
      // Also a lower one: whoever waits is told that the feed has gone back.
      for (const waiter of waiters) if (number !== waiter.after) waiter.end(true)
    } catch (error) {
      for (const waiter of waiters) waiter.end(error instanceof Error ? error : new Error(String(error)))
    } finally {
      timer = null
      lookLater()
    }
  }
  const lookLater = () => {
    if (waiters.size > 0) timer ??= setTimeout(look, everyMs).unref()
  }

  return {
    enter(person) {
      const ofPerson = places.get(person) ?? 0
      if (ofPerson >= MAX_OF_PERSON || taken >= MAX_OF_PROCESS) throw new TooManyRequests(TRY_AGAIN_AFTER)
      places.set(person, ofPerson + 1)
      taken += 1
      return {
        arrival: (after, milliseconds, gone) =>
          new Promise((resolve, reject) => {
            const over = () => waiter.end(false)
            const late = setTimeout(over, Math.max(0, milliseconds))
            const waiter: Waiter = {
              after,
              end(arrived) {
                clearTimeout(late)
                gone.removeEventListener('abort', over)
                waiters.delete(waiter)
                if (arrived instanceof Error) reject(arrived)
                else resolve(arrived)
              },
            }
            if (isClosed || gone.aborted) return waiter.end(false)
            gone.addEventListener('abort', over)
            waiters.add(waiter)
            lookLater()
          }),
        leave() {
          taken -= 1
          const left = (places.get(person) ?? 1) - 1
          if (left > 0) places.set(person, left)
          else places.delete(person)
        },
      }
    },
    close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      for (const waiter of [...waiters]) waiter.end(false)
    },
  }
}
