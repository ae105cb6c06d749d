/** Claims of processes on receivers. One process at a time delivers to a receiver: that keeps the order, with few writes. */
import type { Storage } from '../storage/connections.js'
import { timestampOf } from '../storage/timestamps.js'
import { chunksOf, VALUES_A_STATEMENT } from '../storage/write.js'

export interface Claims {
  /** Claims receivers, or renews the claims. Answers those that are now ours. */
  claim(receivers: readonly string[], now: Date): Promise<ReadonlySet<string>>
  /** Gives claims back. */
  release(receivers: readonly string[]): Promise<void>
  /**
   * Deletes the claims that ended before the given time: of processes that died, on receivers that nothing was queued for
   * since.
   */
  forgetClaims(before: Date): Promise<void>
}

/** @param workerId unique for this process and plugin  @param claimFor milliseconds that a claim holds without being renewed */
export function createClaims(storage: Storage, workerId: string, claimFor: number): Claims {
  const claims = () => storage.knex(storage.table('webhook_receivers'))

  return {
    async claim(receivers, now) {
      const mine = new Set<string>()
      const claimed_until = timestampOf(new Date(now.getTime() + claimFor))
      for (const some of chunksOf(receivers, VALUES_A_STATEMENT)) {
        const known: string[] = await claims().whereIn('receiver', some).pluck('receiver')
        const unknown = some
          .filter((receiver) => !known.includes(receiver))
          .map((receiver) => ({ receiver, claimed_by: workerId, claimed_until }))
        if (unknown.length > 0) await claims().insert(unknown).onConflict('receiver').ignore()
        await claims()
          .whereIn('receiver', some)
          .where((free) => free.where('claimed_until', '<=', timestampOf(now)).orWhere('claimed_by', workerId))
          .update({ claimed_by: workerId, claimed_until })
        const ours: string[] = await claims().whereIn('receiver', some).where('claimed_by', workerId).pluck('receiver')
        for (const receiver of ours) mine.add(receiver)
      }
      return mine
    },

    async release(receivers) {
      for (const some of chunksOf(receivers, VALUES_A_STATEMENT))
        await claims().whereIn('receiver', some).where('claimed_by', workerId).delete()
    },

    async forgetClaims(before) {
      await claims().where('claimed_until', '<', timestampOf(before)).delete()
    },
  }
}
