/**
 * Calls functions of the host for events: `on: { 'task.status-changed': [tellPager] }`. They are called after commit, at least
 * once, outside of every transaction.
 *
 * The relay writes one row per event and listener into `listener_queue`, in the transaction that takes the event out of the
 * outbox. The row is deleted when the listener has returned. A listener that throws or does not return in time is called again
 * after 1, 2, 4 … 256 minutes; after the tenth failure the event is dropped, with an error in the log. A failing listener
 * delays neither other listeners nor later events. One process at a time calls listeners, by a lease; each listener gets its
 * events one after the other, in order of occurrence (a repeated one later).
 *
 * The result of a call is stored even if the lease was lost in the meantime: the listener has got the event, and should not get
 * it again. The write names the number of attempts, so that it does not undo what the next process has done.
 */
import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../core/chunks.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { inTime } from '../core/waiting/in-time.js'
import { nextAttempt } from '../core/waiting/next-attempt.js'
import type { Storage } from '../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'
import { type Lease, LeaseLost, type Leases } from '../storage/queues/leases.js'
import type { OutboxEvent } from '../storage/queues/outbox.js'
import { type HostEvent, hostEventOf, parseHostEvent } from './host-event.js'

export type { HostEvent } from './host-event.js'

export type Listener = (event: HostEvent) => unknown

/** Listeners by the name of the event. */
export type Listeners = { readonly [event: string]: readonly Listener[] }

export interface ListenersDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly on: Listeners
  readonly leases: Leases
  /** Milliseconds after which a listener that has not returned counts as failed; default 30,000. */
  readonly timeout?: number
  /** Milliseconds after which another process takes over from one that died; default 60,000. */
  readonly lastsMs?: number
}

export interface ListenerCalls {
  /** True if the event has a listener. */
  listens(event: string): boolean
  /** A receiver of the relay: queues the events that have a listener. */
  plan(db: Knex, events: readonly OutboxEvent[]): Promise<number>
  /**
   * Calls the listeners that are due. `next` is when the next known call is due. Calling it while it runs makes it look again.
   * After `signal` no further listener is called.
   */
  callDue(signal?: AbortSignal): Promise<{ called: number; failed: number; next: Date | null }>
}

const TIMEOUT = 30_000
const ROWS_AT_ONCE = 20
const LEASE_LASTS = 60_000
/** Milliseconds between looks for new events while a listener runs, here or in another process. */
const LOOK_EVERY = 1000

interface Total {
  called: number
  failed: number
}

interface Waiting {
  readonly id: number | string
  readonly listener: string
  readonly event: string
  readonly attempts: number
}

export function createListenerCalls(deps: ListenersDeps): ListenerCalls {
  const { storage, clock, log, on, leases, timeout = TIMEOUT, lastsMs = LEASE_LASTS } = deps
  const db = storage.knex
  const queue = storage.table('listener_queue')
  /** Listeners that are being called. */
  const active = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  let running: ReturnType<ListenerCalls['callDue']> | null = null
  let wake = () => {}
  let again = false

  return {
    listens: (event) => (on[event]?.length ?? 0) > 0,
    async plan(db, events) {
      const now = timestampOf(clock.now())
      const rows = events.flatMap((event) =>
        (on[event.event] ?? []).map((_, position) => ({
          listener: `${event.event}/${position}`,
          event: JSON.stringify(hostEventOf(event)),
          next_at: now,
        })),
      )
      for (const some of chunksOf(rows, MAX_NARROW_ROWS)) await db(queue).insert([...some])
      return rows.length
    },
    callDue(signal) {
      again = true
      wake()
      running ??= run(signal)
      return running
    },
  }

  async function run(signal?: AbortSignal) {
    const total = { called: 0, failed: 0 }
    try {
      for (;;) {
        again = false
        const { held } = await leases.attempt({ kind: 'listeners', lastsMs }, (lease) => sweep(lease, total, signal))
        const next = await earliest()
        // Events that came while this run was finishing.
        if (again && held && !signal?.aborted) continue
        // Another process holds the lease. It may miss events that come just before it ends.
        const soon = new Date(clock.now().getTime() + LOOK_EVERY)
        return { ...total, next: next && !held && next < soon ? soon : next }
      }
    } finally {
      running = null
    }
  }

  async function sweep(lease: Lease, total: Total, signal?: AbortSignal): Promise<void> {
    again = true
    failures.length = 0
    const looking = setInterval(() => {
      again = true
      wake()
    }, LOOK_EVERY)
    try {
      while (again || active.size > 0) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        const look = again && !signal?.aborted
        again = false
        if (look) await serveDue(lease, total, signal)
        // A listener that hangs must not delay other listeners or new ones.
        if (active.size > 0) await Promise.race([...active.values(), woken])
        if (failures.length > 0) break
      }
    } finally {
      clearInterval(looking)
      await Promise.all(active.values())
    }
    const failure = failures.splice(0).find((error) => !(error instanceof LeaseLost))
    if (failure) throw failure
  }

  async function serveDue(lease: Lease, total: Total, signal?: AbortSignal): Promise<void> {
    const due: string[] = await db(queue).where('next_at', '<=', timestampOf(clock.now())).distinct().pluck('listener')
    for (const name of due.filter((name) => !active.has(name))) {
      // The sweep throws the failure: it may be busy with a query now.
      const serving = serve(name, lease, total, signal)
        .catch((error: unknown) => failures.push(error))
        .then(() => void active.delete(name))
      active.set(name, serving)
    }
  }

  /** Calls one listener for its waiting events, one after the other, until none is due. */
  async function serve(name: string, lease: Lease, total: Total, signal?: AbortSignal): Promise<void> {
    const slash = name.lastIndexOf('/')
    const listener = on[name.slice(0, slash)]?.[Number(name.slice(slash + 1))]
    for (;;) {
      const rows: readonly Waiting[] = await db(queue)
        .where({ listener: name })
        .where('next_at', '<=', timestampOf(clock.now()))
        .orderBy(['next_at', 'id'])
        .limit(ROWS_AT_ONCE)
        .select('id', 'listener', 'event', 'attempts')
      if (rows.length === 0) return
      for (const row of rows) {
        if (signal?.aborted) return
        await lease.keep()
        total.called += 1
        if (!(await callAndNote(listener, row))) total.failed += 1
      }
    }
  }

  /** True when the listener has returned and the row is deleted. */
  async function callAndNote(listener: Listener | undefined, row: Waiting): Promise<boolean> {
    if (!listener) log.warn({ listener: row.listener }, 'The listener of a queued event no longer exists; the event is dropped')
    const error = listener ? await failureOf(listener, row) : null
    if (error === null) await db(queue).where({ id: row.id }).delete()
    else await putOff(row, error)
    return error === null
  }

  async function failureOf(listener: Listener, row: Waiting): Promise<unknown> {
    const late = () => new Error(`The listener has not returned after ${timeout} ms`)
    return inTime(timeout, call(listener, row)).catch(late)
  }

  async function putOff(row: Waiting, error: unknown): Promise<void> {
    const attempts = row.attempts + 1
    const details = { err: error, listener: row.listener, attempts }
    const next = nextAttempt(attempts, clock.now())
    if (next === null) {
      log.error(details, 'A listener failed for the last time; its event is dropped')
      await db(queue).where({ id: row.id }).delete()
      return
    }
    log.warn(details, 'A listener failed and will be called again')
    await db(queue)
      .where({ id: row.id, attempts: row.attempts })
      .update({ attempts, next_at: timestampOf(next) })
  }

  async function earliest(): Promise<Date | null> {
    const row = await db(queue).first(db.raw('cast(min(next_at) as char) as next_at'))
    return row?.next_at ? dateOfTimestamp(row.next_at) : null
  }
}

/** Null when the listener returned, else what it threw. */
async function call(listener: Listener, row: Waiting): Promise<unknown> {
  try {
    await listener(parseHostEvent(row.event))
    return null
  } catch (error) {
    return error ?? new Error('The listener threw nothing')
  }
}
