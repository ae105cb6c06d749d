/** What happens to waiting deliveries when their target changes: in the transaction that changes it, or when they are met. */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import type { Clock } from '../core/clock.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { DELIVERIES, STATES } from '../storage/queues/delivery-rows.js'

export interface TargetsDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** False: deliveries that are sent or dropped are deleted at once, and no attempts are stored. */
  readonly keepsSent: boolean
}

/** Changes of what waits in one channel. */
export interface Targets {
  /** Drops what waits for targets, and returns the number of deliveries. */
  drop(db: Knex, targets: readonly string[]): Promise<number>
  /** Drops what has waited in a lane since before a time, and returns the targets. */
  dropLane(lane: string, before: Date, reason: string): Promise<readonly string[]>
  /** Moves what waits for a target to another lane. */
  move(db: Knex, target: string, lane: string): Promise<void>
}

/** Creates the changes of a channel, without any I/O. */
export function createTargets({ clock, keepsSent, storage }: TargetsDeps, channel: string): Targets {
  const waiting = (db: Knex) => db(storage.table(DELIVERIES)).where({ channel, state: STATES.waiting })

  return {
    async drop(db, targets) {
      let dropped = 0
      for (const some of chunksOf(targets, MAX_VALUES)) dropped += await giveUp(waiting(db).whereIn('target', [...some]))
      return dropped
    },
    async dropLane(lane, before, reason) {
      const late = () => waiting(storage.knex).where({ lane }).where('created_at', '<', timestampOf(before))
      const targets: string[] = await late().distinct().pluck('target')
      if (targets.length > 0) await giveUp(late(), reason)
      return targets
    },
    async move(db, target, lane) {
      await waiting(db).where({ target }).whereNot({ lane }).update({ lane })
    },
  }

  async function giveUp(which: Knex.QueryBuilder, reason?: string): Promise<number> {
    if (!keepsSent) return Number(await which.delete())
    const columns = { state: STATES.dropped, finished_at: timestampOf(clock.now()), ...(reason && { last_error: reason }) }
    return Number(await which.update(columns))
  }
}
