/** Batches of which the faulty records are left out. */
import { setImmediate } from 'node:timers/promises'
import type { Call } from '../../core/call.js'
import { Forbidden, Invalid, NotFound, Unavailable } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import { inSavepoint } from '../../storage/database/savepoint.js'
import type { SaveItem, SaveOutcome } from '../contract.js'
import type { Pipeline } from './pipeline.js'

/** What ends the work on a record, and on all of them. */
export interface Tolerance {
  /** The outcome for a record whose save failed with this error; null if the record did not cause it. */
  outcomeOf(error: unknown): SaveOutcome | null
  /** True when no further batch may begin: the records that are left are denied with Unavailable. Default: never. */
  isOver?(): boolean
}

const OF_REFUSALS: Tolerance = { outcomeOf: outcomeOfRefusal }

/**
 * Saves the records together. Some mistakes appear only after other records were written: a refused sub-record, or a unique
 * value that another transaction has stored by then. They undo the whole batch, which is then saved half by half, until only
 * the faulty records are left out.
 *
 * @param tolerance default: refusals are outcomes, and all other errors are thrown
 */
export async function saveAsFarAsPossible(
  storage: Storage,
  pipeline: Pipeline,
  call: Call,
  type: RecordType,
  items: readonly SaveItem[],
  tolerance = OF_REFUSALS,
): Promise<readonly SaveOutcome[]> {
  if (items.length === 0) return []
  if (tolerance.isOver?.()) return items.map(() => ({ outcome: 'denied', error: new Unavailable() }))
  const ids = items.flatMap(({ id }) => (id === null ? [] : [id]))
  // A record that occurs twice has to be read again before it is changed again.
  const isOnce = new Set(ids).size === ids.length
  if (isOnce) {
    try {
      return await inSavepoint(storage, call, () => pipeline(call, type, items))
    } catch (error) {
      const outcome = tolerance.outcomeOf(error)
      if (!outcome) throw error
      if (items.length === 1) return [outcome]
      // An embedded database never yields: what needs no database gets its turn here.
      await setImmediate()
    }
  }
  const middle = Math.ceil(items.length / 2)
  const first = await saveAsFarAsPossible(storage, pipeline, call, type, items.slice(0, middle), tolerance)
  const second = await saveAsFarAsPossible(storage, pipeline, call, type, items.slice(middle), tolerance)
  return [...first, ...second]
}

/** The outcome for a record whose save was refused with this error; null for any other error. */
export function outcomeOfRefusal(error: unknown): Extract<SaveOutcome, { readonly outcome: 'refused' | 'denied' }> | null {
  if (error instanceof Invalid) return { outcome: 'refused', violations: error.violations }
  if (error instanceof Forbidden || error instanceof NotFound) return { outcome: 'denied', error }
  return null
}
