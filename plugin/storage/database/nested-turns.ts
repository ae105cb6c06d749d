/**
 * Work of functions that share a transaction takes turns, because a savepoint that is rolled back undoes all that was written
 * since. What is begun within a piece of work belongs to it, and takes turns within it: it cannot wait for itself.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** @param close waits for all that was begun within the work, awaited or not; what comes later belongs to the work around it */
export type TurnWork<T> = (close: () => Promise<void>) => Promise<T>

export interface NestedTurns {
  /**
   * Does the work when all that was begun before it, in the same place, has ended.
   *
   * @throws Error if nothing has happened in the transaction for a long time: what it waits for may be waiting for it
   */
  take<T>(work: TurnWork<T>): Promise<T>
  /** True in a function that belongs to a piece of work which has not ended. */
  isWithin(): boolean
  /** To be called for each statement of the transaction. */
  progress(): void
}

interface Turn {
  /** The turns that it is one of: a function may work in several transactions. */
  readonly of: object
  readonly outer: Turn | null
  /** Ends with the last work that was begun within it. */
  last: Promise<unknown>
  isOver: boolean
}

/** Milliseconds, as long as a statement may take. Calls have a limit of their own, but jobs and calls of the host have none. */
const STUCK_AFTER = 15_000

/**
 * The turn that the running function belongs to. Up to Node 22, a store that was used once makes every promise of the process more
 * expensive until it is disabled: that is done when no turn is left, and nobody can ask for one that goes on.
 */
class TurnStore extends AsyncLocalStorage<Turn> {
  /** Turns that have begun, or wait, in all transactions. */
  private open = 0

  begin(): void {
    this.open += 1
  }

  end(): void {
    this.open -= 1
    if (this.open === 0) this.disable()
  }
}

const within = new TurnStore()

/** Turns of one transaction. */
export function createNestedTurns(stuckAfterMs: number = STUCK_AFTER): NestedTurns {
  const of = {}
  const outermost: Turn = { of, outer: null, last: Promise.resolve(), isOver: false }
  let steps = 0

  const innermost = (): Turn => {
    let turn = within.getStore() ?? null
    while (turn !== null && (turn.isOver || turn.of !== of)) turn = turn.outer
    return turn ?? outermost
  }
  /** Calls the function once if there is no progress for a whole interval; returns the function to stop with. */
  const watch = (stuck: () => void) => {
    let seen = steps
    const timer = setInterval(() => {
      if (seen === steps) stuck()
      seen = steps
    }, stuckAfterMs)
    return () => clearInterval(timer)
  }

  return {
    take<T>(work: TurnWork<T>): Promise<T> {
      const own: Turn = { of, outer: within.getStore() ?? null, last: Promise.resolve(), isOver: false }
      const close = () => closed(own)
      const run = async (): Promise<T> => {
        try {
          return await work(close)
        } finally {
          await close()
        }
      }
      const place = innermost()
      const before = place.last
      within.begin()
      return new Promise<T>((resolve, reject) => {
        let isStuck = false
        const stop = watch(() => {
          stop()
          isStuck = true
          reject(new Error(STUCK))
        })
        place.last = before.then(async () => {
          stop()
          steps += 1
          if (!isStuck) await within.run(own, run).then(resolve, reject)
          steps += 1
          within.end()
        })
      })
    },
    isWithin: () => innermost() !== outermost,
    progress() {
      steps += 1
    },
  }
}

const STUCK =
  'It waited in vain for a transaction() of db, or for a record that is saved along, in which nothing happens: their functions must not wait for work that was begun outside of them'

async function closed(turn: Turn): Promise<void> {
  for (let seen: unknown = null; seen !== turn.last; ) {
    seen = turn.last
    await seen
  }
  turn.isOver = true
}
