/** Chunks of an import: what cannot be done together is done in halves, so that only the one at fault is left out. */
import { setImmediate } from 'node:timers/promises'
import { isDeadlock, isOutage, isTimeout } from '../../storage/database/faults.js'
import { type Lease, LeaseLost } from '../../storage/queues/leases.js'

/** What is done with a chunk. */
export interface ChunkWork<Item> {
  /** The lease under which the work is done. */
  readonly lease: Lease
  /** Does it for all of them, in a transaction of its own. */
  commit(items: readonly Item[]): Promise<void>
  /** Told before the chunk is repeated in halves. */
  repeated?(error: unknown): void
  /** Reports one whose own transaction failed. */
  commitFailed(item: Item, error: unknown): Promise<void>
  /** Called after each commit. @throws what ends the whole work */
  committed?(): void
}

/**
 * Does the work for several items at once; if that fails, in halves.
 *
 * @throws LeaseLost, and what keeps the whole work from going on, such as an outage of the database
 */
export async function inHalves<Item>(work: ChunkWork<Item>, items: readonly Item[]): Promise<void> {
  try {
    await work.commit(items)
  } catch (error) {
    // Smaller steps may succeed if the chunk was too large or conflicted with other transactions.
    const isTooBig = items.length > 1 && (isDeadlock(error) || isTimeout(error))
    if (error instanceof LeaseLost || (isOutage(error) && !isTooBig)) throw error
    // Nor is it done one by one against a worker that has taken over.
    if (isDeadlock(error)) await work.lease.check()
    if (items.length > 1) {
      work.repeated?.(error)
      const middle = Math.ceil(items.length / 2)
      await inHalves(work, items.slice(0, middle))
      return inHalves(work, items.slice(middle))
    }
    for (const item of items) await work.commitFailed(item, error)
  }
  work.committed?.()
  // An embedded database never yields: other calls must get their turn between two transactions.
  await setImmediate()
}
