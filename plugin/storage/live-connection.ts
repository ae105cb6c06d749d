import { isLostConnection } from './faults.js'

/** The part of knex's client that counts idle connections. */
export interface Pooled {
  readonly pool?: { numFree?(): number; readonly destroyed?: boolean }
}

/**
 * Does the work again, on another connection, when the one that it got was dead: the server had closed it while nobody used it.
 * All that were idle may be dead, so there are as many repetitions, and one more on a new connection.
 *
 * @param mayRepeat true when the work has changed nothing yet, so that repeating it is safe
 */
export async function onLiveConnection<T>(client: Pooled, work: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  let left: number | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLostConnection(error) || !mayRepeat()) throw error
      left ??= (client.pool?.numFree?.() ?? 0) + 1
      if (left === 0) throw error
      left -= 1
    }
  }
}
