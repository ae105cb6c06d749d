/**
 * Dispatches events: outbox → messages → deliveries. The process that committed them begins at once. Jobs of the store follow, for
 * processes that only wake others, for retries, and for the sweep. Each channel has a job of its own, so that none waits for another.
 */
import type { Log } from '../core/log.js'
import { inTime } from '../core/waiting/in-time.js'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Relay } from '../events/relay.js'
import { MAIL } from '../storage/queues/mail-queue.js'
import type { JobQueue } from './job-queue.js'
import { mergeCalls } from './merge-calls.js'
import type { JobContext } from './runs.js'

const DISPATCH = 'dispatch-events'

/** Milliseconds: see `clearAfterMs`. */
const CLEAR_AFTER = 1000
/** Maximum milliseconds for which saving a receiver waits for the relay. */
const PENDING_WITHIN = 1000

export interface EventDispatchDeps {
  readonly jobs: JobQueue
  readonly log: Log
  readonly relay: Relay<ReadonlySet<string>>
  readonly deliveries: Pick<Deliveries, 'channels' | 'isWanted' | 'deliverDue'>
  /**
   * Milliseconds after which events without a delivery are removed from the outbox, many at a time; default 1000.
   */
  readonly clearAfterMs?: number
}

/** Dispatches the events of this process. */
export interface EventDispatch {
  /** To be called after a commit, with the names of its events. Returns at once; calls at the same time share one look. */
  wakeDispatch(events: readonly string[]): void
  /** To be called after a commit that has queued mails. Returns at once. */
  wakeMails(): void
  /** To be called after a commit that has queued deliveries of a channel. Returns at once. */
  wakeDeliveries(channel: string): void
  /** Removes events that wait to be cleared from the outbox, so that a receiver that is saved next does not get them. */
  dispatchPending(): Promise<void>
  /** Wakes all of these jobs, whether or not rows are due. */
  wakeAll(): Promise<void>
}

/** Defines the jobs. Each looks at its rows and wakes itself again when the next one is due. */
export function defineEventDispatch(deps: EventDispatchDeps): EventDispatch {
  const { jobs, log, relay, deliveries, clearAfterMs = CLEAR_AFTER } = deps
  const merged = mergeCalls()
  const pending = new Set<string>()
  let clearing: NodeJS.Timeout | undefined

  const dispatch = once<unknown>(async () => {})
  const runDispatch = (context: JobContext) => dispatch(relayAll(context), context)
  const work = new Map([[DISPATCH, runDispatch]])
  for (const channel of deliveries.channels) {
    const name = jobOf(channel)
    const deliver = once(async ({ next }: { readonly next: Date | null }, { stopping }) => {
      if (next && !stopping.aborted) await jobs.wake(name, undefined, next)
    })
    work.set(name, (context) => deliver(deliveries.deliverDue(channel, context.stopping), context))
  }
  for (const [name, run] of work) jobs.define(name, { concurrency: 1 }, (_ids, context) => run(context))

  function relayAll({ stopping }: JobContext): Promise<number> {
    clearTimeout(clearing)
    clearing = undefined
    return relay.run({ stopping, taken })
  }

  /** Begins to send what a batch has queued while the next batch is relayed. */
  function taken(results: readonly ReadonlySet<string>[]): void {
    for (const channels of results) for (const channel of channels) begin(jobOf(channel))
  }

  /** Runs the job in this process if it works; otherwise wakes another process. */
  function begin(name: string): void {
    const run = work.get(name)
    if (!run || !jobs.runHere(name, run)) void jobs.wake(name)
  }

  async function look(): Promise<void> {
    const events = [...pending]
    pending.clear()
    // If the database does not respond, the relay fails as well, and logs it.
    if (await deliveries.isWanted(events).catch(() => true)) return begin(DISPATCH)
    clearing ??= setTimeout(() => void jobs.runHere(DISPATCH, runDispatch), clearAfterMs).unref()
  }

  return {
    wakeDispatch(events) {
      for (const event of events) pending.add(event)
      if (jobs.runHere('look-for-subscribers', () => merged('look', look))) return
      pending.clear()
      void jobs.wake(DISPATCH)
    },
    wakeMails: () => begin(jobOf(MAIL)),
    wakeDeliveries: (channel) => begin(jobOf(channel)),
    async dispatchPending() {
      if (!clearing) return
      let relayed: Promise<unknown> = Promise.resolve()
      jobs.runHere(DISPATCH, (context) => {
        relayed = relayAll(context)
        return dispatch(relayed, context)
      })
      // The relay may be busy with many other events: saving a receiver does not wait longer for these.
      await inTime(PENDING_WITHIN, relayed).catch((err: unknown) => log.debug({ err }, 'Events were not dispatched yet'))
    },
    async wakeAll() {
      await Promise.all([...work.keys()].map((name) => jobs.wake(name)))
    },
  }
}

/** Another name than those of the version before: its jobs know nothing of these deliveries. */
function jobOf(channel: string): string {
  return `deliver:${channel}`
}

/**
 * Creates a function that waits for a run and then calls `then`. Only the caller that began the run does so; callers that found
 * it in progress, and made it look again, do nothing more.
 */
function once<T>(
  then: (result: T, context: JobContext) => Promise<void>,
): (run: Promise<T>, context: JobContext) => Promise<void> {
  let present: Promise<T> | undefined
  return async (run, context) => {
    if (run === present) return
    present = run
    await then(await run, context)
  }
}
