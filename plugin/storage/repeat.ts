import { setTimeout as sleep } from 'node:timers/promises'
import { isDeadlock } from './faults.js'

/** Pauses before the work is done again, in milliseconds. Their number is the number of repetitions. */
const PAUSES = [10, 50, 200]

/**
 * Repeats the whole work, up to three times, when it loses against another transaction (deadlock, lock wait, a busy SQLite
 * file). It therefore must begin and end its transaction itself.
 */
export async function repeatOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error)) throw error
    }
    await sleep(pause)
  }
  return work()
}
