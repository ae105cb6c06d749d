/**
 * Dispatches events: outbox → listeners and webhooks. The process that committed them begins at once. Jobs of the store follow,
 * for processes that only wake others, for retries, and for the sweep.
 */
import type { Log } from '../core/log.js'
import { inTime } from '../core/waiting/in-time.js'
import type { ListenerCalls } from '../events/listeners.js'
import type { Relay } from '../events/relay.js'
import type { Deliveries } from '../webhooks/webhooks.js'
import type { JobQueue } from './job-queue.js'
import { mergeCalls } from './merge-calls.js'
import type { JobContext, RunJob } from './runs.js'

const DISPATCH = 'dispatch-events'
const DELIVER = 'deliver-webhooks'
const LISTEN = 'call-listeners'

/** Milliseconds: see `clearAfterMs`. */
const CLEAR_AFTER = 1000
/** Maximum milliseconds for which saving a webhook waits for the relay. */
const PENDING_WITHIN = 1000

export interface EventDispatchDeps {
  readonly jobs: JobQueue
  readonly log: Log
  readonly relay: Relay
  readonly deliveries: Pick<Deliveries, 'subscribed' | 'deliverDue'>
  readonly listeners: Pick<ListenerCalls, 'listens' | 'callDue'>
  /**
   * Milliseconds after which events without a webhook or a listener are removed from the outbox, many at a time; default 1000.
   */
  readonly clearAfterMs?: number
}

/** Dispatches the events of this process. */
export interface EventDispatch {
  /** To be called after a commit, with the names of its events. Returns at once; calls at the same time share one look. */
  wakeDispatch(events: readonly string[]): void
  /** Removes events that wait to be cleared from the outbox, so that a webhook that is saved next does not get them. */
  dispatchPending(): Promise<void>
  /** Wakes the three jobs, whether or not rows are due. */
  wakeAll(): Promise<void>
}

/** Defines the three jobs. Each looks at its rows and wakes itself again when the next one is due. */
export function defineEventDispatch(deps: EventDispatchDeps): EventDispatch {
  const { jobs, log, relay, deliveries, listeners, clearAfterMs = CLEAR_AFTER } = deps
  const merged = mergeCalls()
  const pending = new Set<string>()
  let clearing: NodeJS.Timeout | undefined

  const deliver = once(async ({ next }: Due, { stopping }) => {
    if (next && !stopping.aborted) await jobs.wake(DELIVER, undefined, next)
  })
  const listen = once(async ({ next }: Due, { stopping }) => {
    if (next && !stopping.aborted) await jobs.wake(LISTEN, undefined, next)
  })
  const dispatch = once<unknown>(async () => {})

  const run = {
    [DISPATCH]: (context: JobContext) => dispatch(relayAll(context), context),
    [DELIVER]: (context: JobContext) => deliver(deliveries.deliverDue(context.stopping), context),
    [LISTEN]: (context: JobContext) => listen(listeners.callDue(context.stopping), context),
  }
  for (const name of NAMES) {
    const runJob: RunJob = (_ids, context) => run[name](context)
    jobs.define(name, { concurrency: 1 }, runJob)
  }

  function relayAll({ stopping }: JobContext): Promise<number> {
    clearTimeout(clearing)
    clearing = undefined
    return relay.run({ stopping, taken })
  }

  /** Begins the work that a batch has queued while the next batch is relayed. */
  function taken([messages = 0, calls = 0]: readonly number[]): void {
    if (messages > 0) begin(DELIVER)
    if (calls > 0) begin(LISTEN)
  }

  /** Runs the job in this process if it works; otherwise wakes another process. */
  function begin(name: Name): void {
    if (!jobs.runHere(name, run[name])) void jobs.wake(name)
  }

  async function look(): Promise<void> {
    const events = [...pending]
    pending.clear()
    // If the database does not respond, the relay fails as well, and logs it.
    const isWanted = events.some(listeners.listens) || (await deliveries.subscribed(events).catch(() => true))
    if (isWanted) return begin(DISPATCH)
    clearing ??= setTimeout(() => void jobs.runHere(DISPATCH, run[DISPATCH]), clearAfterMs).unref()
  }

  return {
    wakeDispatch(events) {
      for (const event of events) pending.add(event)
      if (jobs.runHere('look-for-subscribers', () => merged('look', look))) return
      pending.clear()
      void jobs.wake(DISPATCH)
    },
    async dispatchPending() {
      if (!clearing) return
      let relayed: Promise<unknown> = Promise.resolve()
      jobs.runHere(DISPATCH, (context) => {
        relayed = relayAll(context)
        return dispatch(relayed, context)
      })
      // The relay may be busy with many other events: saving a webhook does not wait longer for these.
      await inTime(PENDING_WITHIN, relayed).catch((err: unknown) => log.debug({ err }, 'Events were not dispatched yet'))
    },
    async wakeAll() {
      await Promise.all(NAMES.map((name) => jobs.wake(name)))
    },
  }
}

const NAMES = [DISPATCH, DELIVER, LISTEN] as const

type Name = (typeof NAMES)[number]

interface Due {
  readonly next: Date | null
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
