import type { Clock } from '../core/clock.js'
import type { Channel } from './channel.js'
import type { Queue } from './queue.js'

/**
 * Milliseconds between searches for lanes that have become due while others are being served. A slow receiver may take hours, and
 * another process may have queued deliveries for a lane that this one serves.
 */
export const LOOK_EVERY = 1000
/** Milliseconds between looks at lanes that only other processes know. */
const LOOK_AT_UNKNOWN_EVERY = 60_000
/** Milliseconds for which deliveries in such lanes are kept. */
const KEEP_UNKNOWN = 24 * 3600_000

interface LookDeps {
  readonly channel: Pick<Channel, 'lanes' | 'dropped'>
  readonly clock: Clock
  readonly queue: Pick<Queue, 'queued' | 'dropLane'>
  /** True for lanes for which a process of the version before still has rows. */
  readonly isHeldBack: (lane: string) => boolean
}

/**
 * Time of the next look: the next due delivery, or in a second if another process serves its lane, because that process may die or miss
 * new rows. Null if nothing is queued. What waits in a lane that only other processes know is dropped after a day.
 */
export async function nextLook({ channel, clock, isHeldBack, queue }: LookDeps): Promise<Date | null> {
  const now = clock.now()
  const soon = now.getTime() + LOOK_EVERY
  const times: number[] = []
  for (const { dueAt, isServedElsewhere, lane } of await queue.queued()) {
    const isUnknown = channel.lanes?.has(lane) === false
    if (isUnknown) await forget(lane)
    const least = isUnknown ? now.getTime() + LOOK_AT_UNKNOWN_EVERY : isServedElsewhere || isHeldBack(lane) ? soon : 0
    times.push(Math.max(dueAt.getTime(), least))
  }
  return times.length > 0 ? new Date(Math.min(...times)) : null

  async function forget(lane: string): Promise<void> {
    const before = new Date(now.getTime() - KEEP_UNKNOWN)
    const targets = await queue.dropLane(lane, before, 'No process knows it any more')
    if (targets.length > 0) channel.dropped(targets.length, targets)
  }
}
