import { setTimeout as sleep } from 'node:timers/promises'
import { isDeadlock } from './faults.js'

/** Longest pauses before the work is done again, in milliseconds. Their number is the number of repetitions. */
const PAUSES = [10, 50, 100, 200, 400]

/**
 * Repeats the whole work, up to five times, when it loses against another transaction (deadlock, lock wait, a busy SQLite
 * file). It therefore must begin and end its transaction itself. Pauses differ, so that many that met do not meet again.
 */
export async function repeatOnDeadlock<T>(work: () => Promise<T>, random: () => number = Math.random): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error)) throw error
    }
    await sleep(pause * (0.5 + random() / 2))
  }
  return work()
}
