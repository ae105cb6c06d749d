import { type Backoff, persistently } from '../core/waiting/backoff.js'
import { isDeadlock } from './database/faults.js'

const PAUSES: Backoff = { firstMs: 25, mostMs: 400 }

/**
 * Repeats the whole work, up to five times, if it loses against another transaction (deadlock, lock wait, a busy SQLite file).
 * The work must therefore begin and end its transaction itself. Pauses differ, so that transactions that met do not meet again.
 */
export function repeatOnDeadlock<T>(work: () => Promise<T>, random: () => number = Math.random): Promise<T> {
  return persistently(work, { ...PAUSES, repeats: 5, isWorth: isDeadlock, random })
}
