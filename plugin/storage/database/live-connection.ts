import { isLostConnection } from './faults.js'

/** The part of knex's client that counts idle connections. */
export interface Pooled {
  readonly pool?: { numFree?(): number; readonly destroyed?: boolean }
}

/**
 * Does the work again, on another connection, if the connection was dead because the server had closed it while it was idle.
 * All idle connections may be dead, so there is one repetition for each of them, and one more on a new connection.
 *
 * @param mayRepeat true if the work has not changed anything yet, so that repeating it is safe
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
