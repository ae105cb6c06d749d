/**
 * Work of functions that share a transaction takes turns, because a savepoint that is rolled back undoes all that was written
 * since. What is begun within a piece of work belongs to it, and takes turns within it: it cannot wait for itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** @param close waits for all that was begun within the work, awaited or not; what comes later belongs to the work around it */
export type TurnWork<T> = (close: () => Promise<void>) => Promise<T>

export interface NestedTurns {
  /** Does the work when all that was begun before it, in the same place, has ended. */
  take<T>(work: TurnWork<T>): Promise<T>
}

interface Turn {
  /** The turns that it is one of: a function may work in several transactions. */
  readonly of: object
  readonly outer: Turn | null
  /** Ends with the last work that was begun within it. */
  last: Promise<unknown>
  isOver: boolean
}

/** The turn that the running function belongs to. */
const within = new AsyncLocalStorage<Turn>()

/** Turns of one transaction. */
export function createNestedTurns(): NestedTurns {
  const of = {}
  const outermost: Turn = { of, outer: null, last: Promise.resolve(), isOver: false }
  const innermost = (): Turn => {
    let turn = within.getStore() ?? null
    while (turn !== null && (turn.isOver || turn.of !== of)) turn = turn.outer
    return turn ?? outermost
  }
  return {
    take(work) {
      const own: Turn = { of, outer: within.getStore() ?? null, last: Promise.resolve(), isOver: false }
      const close = () => closed(own)
      const run = async () => {
        try {
          return await work(close)
        } finally {
          await close()
        }
      }
      const place = innermost()
      const done = place.last.then(() => within.run(own, run))
      place.last = done.catch(() => {})
      return done
    },
  }
}

async function closed(turn: Turn): Promise<void> {
  for (let seen: unknown = null; seen !== turn.last; ) {
    seen = turn.last
    await seen
  }
  turn.isOver = true
}
