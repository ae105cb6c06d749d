/**
 * Functions of the host that are told of events: `on: { 'task.status-changed': [tellPager] }`. They are called after commit,
 * at least once, outside of every transaction.
 *
 * The relay writes one row for each event and listener into `listener_queue`, in the transaction that takes the event out of
 * the outbox. The row goes away when the listener has returned. One that throws or does not return in time is called again
 * after 1, 2, 4 … 256 minutes and given up, with an error in the log, at the tenth time. So a failing listener loses no
 * event, and holds up neither other listeners nor later events. One process at a time calls listeners; each listener gets
 * its events one after the other, in order of occurrence (a repeated one later).
 */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import { inTime } from '../core/in-time.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/connections.js'
import type { OutboxEvent } from '../storage/outbox.js'
import { dateOfTimestamp, timestampOf } from '../storage/timestamps.js'

/** What a listener is told. */
export interface HostEvent {
  /** The same for every repetition of one event, and for no other event. */
  readonly id: number
  /** `task.status-changed`. */
  readonly name: string
  readonly recordType: string
  readonly recordId: number
  readonly accountId: string
  /** Who caused it; null for the service itself. */
  readonly person: { readonly id: number; readonly name: string } | null
  readonly at: Date
  readonly auditLineId: number | null
  /** The status that the record had right after the event; null for types without one. */
  readonly status: string | null
  /** Only for status-changed. */
  readonly previousStatus: string | null
  /** Only for note-added. */
  readonly noteId: number | null
}

export type Listener = (event: HostEvent) => unknown

/** Listeners by the name of the event. */
export type Listeners = { readonly [event: string]: readonly Listener[] }

export interface ListenersDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly on: Listeners
  /** Unique for this process and plugin. */
  readonly workerId: string
  /** Milliseconds after which a listener that has not returned counts as failed; default 30,000. */
  readonly timeout?: number
}

export interface ListenerCalls {
  /** True when there is a listener for the event. */
  listens(event: string): boolean
  /** A receiver of the relay: queues the events that somebody listens to. */
  plan(db: Knex, events: readonly OutboxEvent[]): Promise<number>
  /**
   * Calls the listeners whose time has come. `next` is when there will be work again, as far as is known. Calling it while
   * it runs makes it look once more. After `signal` no further listener is called.
   */
  callDue(signal?: AbortSignal): Promise<{ called: number; failed: number; next: Date | null }>
}

const TIMEOUT = 30_000
const MOST_ATTEMPTS = 10
const ROWS_AN_INSERT = 200
const ROWS_AT_ONCE = 20
const CLAIM_FOR = 60_000
/** Milliseconds between looks for new events while a listener takes its time; another process may have queued them. */
const LOOK_EVERY = 1000

interface Waiting {
  readonly id: number | string
  readonly listener: string
  readonly event: string
  readonly attempts: number
}

export function createListenerCalls(deps: ListenersDeps): ListenerCalls {
  const { storage, clock, log, on, workerId, timeout = TIMEOUT } = deps
  const db = storage.knex
  const queue = storage.table('listener_queue')
  const gates = storage.table('gates')
  /** Listeners that are being served. */
  const active = new Map<string, Promise<void>>()
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
      for (let start = 0; start < rows.length; start += ROWS_AN_INSERT) {
        await db(queue).insert(rows.slice(start, start + ROWS_AN_INSERT))
      }
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
        const claimedUntil = await claim()
        if (!claimedUntil) await sweep(total, signal)
        const next = claimedUntil ?? (await earliest())
        // Events that came while we were finishing.
        if (!again || signal?.aborted) return { ...total, next }
      }
    } finally {
      running = null
    }
  }

  async function sweep(total: { called: number; failed: number }, signal?: AbortSignal): Promise<void> {
    again = true
    const renewal = setInterval(() => void claim().catch(() => undefined), CLAIM_FOR / 3)
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
        if (look) await serveDue(total, signal)
        // A listener that hangs keeps neither the others nor new ones waiting.
        if (active.size > 0) await Promise.race([...active.values(), woken])
      }
    } finally {
      clearInterval(renewal)
      clearInterval(looking)
      await Promise.allSettled(active.values())
      await db(gates).where({ name: 'listeners', claimed_by: workerId }).update({ claimed_by: null, claimed_until: null })
    }
  }

  async function serveDue(total: { called: number; failed: number }, signal?: AbortSignal): Promise<void> {
    const due: string[] = await db(queue).where('next_at', '<=', timestampOf(clock.now())).distinct().pluck('listener')
    for (const name of due.filter((name) => !active.has(name))) {
      const serving = serve(name, total, signal).finally(() => active.delete(name))
      active.set(name, serving)
    }
  }

  /** Calls one listener for its waiting events, one after the other, until none is due. */
  async function serve(name: string, total: { called: number; failed: number }, signal?: AbortSignal): Promise<void> {
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
        total.called += 1
        if (!(await callAndNote(listener, row))) total.failed += 1
      }
    }
  }

  /** True when the row is done with. */
  async function callAndNote(listener: Listener | undefined, row: Waiting): Promise<boolean> {
    if (!listener)
      log.warn({ listener: row.listener }, 'The listener that an event was queued for is gone; the event is dropped')
    const error = listener ? await failureOf(listener, row) : null
    if (error === null) await db(queue).where({ id: row.id }).delete()
    else await putOff(row, error)
    return error === null
  }

  /** Takes or keeps the right to call listeners; answers until when another process has it. */
  async function claim(): Promise<Date | null> {
    const now = clock.now()
    await db(gates).insert({ name: 'listeners' }).onConflict('name').ignore()
    await db(gates)
      .where({ name: 'listeners' })
      .where((free) =>
        free.whereNull('claimed_until').orWhere('claimed_until', '<=', timestampOf(now)).orWhere('claimed_by', workerId),
      )
      .update({ claimed_by: workerId, claimed_until: timestampOf(new Date(now.getTime() + CLAIM_FOR)) })
    const gate = await db(gates)
      .where({ name: 'listeners' })
      .first('claimed_by', db.raw('cast(claimed_until as char) as claimed_until'))
    if (gate?.claimed_by === workerId) return null
    return gate?.claimed_until ? dateOfTimestamp(gate.claimed_until) : now
  }

  async function failureOf(listener: Listener, row: Waiting): Promise<unknown> {
    const late = () => new Error(`The listener has not returned after ${timeout} ms`)
    return inTime(timeout, call(listener, row)).catch(late)
  }

  async function putOff(row: Waiting, error: unknown): Promise<void> {
    const attempts = row.attempts + 1
    const details = { err: error, listener: row.listener, attempts }
    if (attempts >= MOST_ATTEMPTS) {
      log.error(details, 'A listener failed for the last time; it is not told of this event')
      await db(queue).where({ id: row.id }).delete()
      return
    }
    log.warn(details, 'A listener failed and will be called again')
    const next = new Date(clock.now().getTime() + 2 ** (attempts - 1) * 60_000)
    await db(queue)
      .where({ id: row.id })
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
    const event = JSON.parse(row.event) as Omit<HostEvent, 'at'> & { readonly at: string }
    await listener({ ...event, at: new Date(event.at) })
    return null
  } catch (error) {
    return error ?? new Error('The listener threw nothing')
  }
}

function hostEventOf(event: OutboxEvent): HostEvent {
  return {
    id: event.id,
    name: event.event,
    recordType: event.recordType,
    recordId: event.recordId,
    accountId: event.accountId,
    person: event.personId === null ? null : { id: event.personId, name: event.personName },
    at: event.at,
    auditLineId: event.auditLineId,
    status: event.snapshot.status ?? null,
    previousStatus: event.snapshot.previous_status ?? null,
    noteId: event.snapshot.note_id ?? null,
  }
}
