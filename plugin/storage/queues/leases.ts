/**
 * Leases, for work that one process may do at a time. A lease is a row. It is taken by one update that is committed at once,
 * prolonged while the work continues, and taken over by another process when it has expired.
 *
 * Nothing here relies on row locks: on a cluster with several writable nodes they are local to a node, and a conflict appears
 * as a deadlock, at the latest at the commit. A deadlock while a lease is taken therefore means that another process has it.
 *
 * A process may be paused for longer than its lease lasts. So each transaction that writes for a lease updates its row
 * (`fence`), if that still names this holder. This conflicts with any process that takes the lease in the meantime.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { type Backoff, pauseAfter } from '../../core/waiting/backoff.js'
import type { Storage } from '../database/connections.js'
import { isDeadlock } from '../database/faults.js'
import { inOwnTransaction } from '../database/own-transaction.js'
import { dateOfTimestamp, timestampOf } from '../database/timestamps.js'
import { createHolder, type Holder, LeaseLost } from './lease-holder.js'

export { type Holder, LeaseLost } from './lease-holder.js'

/** Work that only one process may do at a time. */
export interface Place {
  /** The kind of work: `relay`. */
  readonly kind: string
  /** Distinguishes leases of one kind; omitted if the kind has only one. */
  readonly name?: string
  /** Milliseconds after which another process takes over, unless the lease is prolonged. */
  readonly lastsMs: number
}

/** A lease that this process holds. */
export interface Lease {
  /** Aborts, with a LeaseLost, when another process has taken over. It may abort late: only `fence` is safe. */
  readonly lost: AbortSignal
  /**
   * To be called in each transaction that writes for the lease, if possible at its end. It prolongs the lease; the transaction
   * cannot be committed when the lease is lost. @throws LeaseLost
   */
  fence(db: Knex): Promise<void>
  /** Does work in its own transaction, with the fence at the end. @throws LeaseLost, and what the work throws */
  inTransaction<T>(work: (db: Knex) => Promise<T>): Promise<T>
  /** Checks that this process still holds the lease. @throws LeaseLost */
  check(): Promise<void>
  /** Does the same, but costs nothing before the lease expires: for work in steps outside of the database. */
  keep(): Promise<void>
}

/** Result of work that needs a lease: done, or another process holds the lease. */
export type Attempted<T> = { readonly held: true; readonly result: T } | { readonly held: false; readonly until: Date }

export interface Leases {
  /** Works while holding the lease, then releases it. Returns at once if another process holds it. */
  attempt<T>(place: Place, work: (lease: Lease) => Promise<T>): Promise<Attempted<T>>
  /**
   * Does the same, but waits in line while another process holds the lease. Null, without having worked, when the signal aborts
   * or the other process has done it all: `isNeeded` is asked after each refusal.
   */
  inLine<T>(
    place: Place,
    options: { readonly isNeeded: () => Promise<boolean>; readonly signal?: AbortSignal | undefined },
    work: (lease: Lease) => Promise<T>,
  ): Promise<T | null>
  /** For work that holds many leases of one kind, and prolongs them itself. */
  holder(kind: string, lastsMs: number): Holder
  /** Deletes the rows of leases that expired before the given time. */
  purge(before: Date): Promise<void>
}

/** Pauses of a process that waits in line. */
const IN_LINE: Backoff = { firstMs: 10, mostMs: 250 }

export interface LeasesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** A text that no other process has. */
  readonly randomId: () => string
}

/** Creates the leases of a database, without any I/O. */
export function createLeases({ storage, clock, log, randomId }: LeasesDeps): Leases {
  const leases = storage.table('leases')
  const holder = (kind: string, lastsMs: number) => createHolder(storage, clock, { kind, lastsMs, id: randomId() })

  return { attempt, inLine, holder, purge }

  async function attempt<T>(place: Place, work: (lease: Lease) => Promise<T>): Promise<Attempted<T>> {
    const { kind, name = '', lastsMs } = place
    const mine = holder(kind, lastsMs)
    if (!(await mine.take([name])).has(name)) return { held: false, until: await heldUntil(kind, name) }
    const lost = new AbortController()
    let isOver = false
    let until = clock.now().getTime() + lastsMs
    const prolongOnce = async () => {
      try {
        const now = clock.now().getTime()
        if ((await mine.prolong([name])).has(name)) until = now + lastsMs
        else if (!isOver) lost.abort(new LeaseLost(kind, name))
      } catch (err) {
        if (!isOver) log.warn({ err, kind, name }, 'A lease could not be prolonged')
      }
    }
    let prolonging: Promise<void> | null = null
    // Asking a slow database again would not make it faster.
    const prolong = () => {
      prolonging ??= prolongOnce().finally(() => {
        prolonging = null
      })
      return prolonging
    }
    const beat = setInterval(() => void prolong(), lastsMs / 3).unref()
    const keep = async () => {
      lost.signal.throwIfAborted()
      if (clock.now().getTime() < until) return
      await prolong()
      lost.signal.throwIfAborted()
    }
    try {
      return { held: true, result: await work({ ...leaseOf(mine, name), lost: lost.signal, keep }) }
    } finally {
      isOver = true
      clearInterval(beat)
      await mine.release([name]).catch((err: unknown) => log.warn({ err, kind, name }, 'A lease could not be released'))
    }
  }

  function leaseOf(mine: Holder, name: string): Omit<Lease, 'lost' | 'keep'> {
    const fence = (db: Knex) => mine.fence(db, name)
    return {
      fence,
      inTransaction: (work) =>
        inOwnTransaction(storage, async (db) => {
          // SQLite must not write based on what it read before others wrote: the fence comes first, and locks the database.
          if (storage.dialect === 'sqlite') await fence(db)
          const result = await work(db)
          if (storage.dialect === 'mysql') await fence(db)
          return result
        }),
      check: () => mine.check(name),
    }
  }

  async function inLine<T>(
    place: Place,
    { isNeeded, signal }: { readonly isNeeded: () => Promise<boolean>; readonly signal?: AbortSignal | undefined },
    work: (lease: Lease) => Promise<T>,
  ): Promise<T | null> {
    for (let tries = 1; !signal?.aborted; tries += 1) {
      const attempted = await attempt(place, work)
      if (attempted.held) return attempted.result
      if (!(await isNeeded())) return null
      await sleep(pauseAfter(tries, IN_LINE), undefined, { signal }).catch(() => {})
    }
    return null
  }

  async function heldUntil(kind: string, name: string): Promise<Date> {
    const row: { readonly until: string } | undefined = await storage
      .knex(leases)
      .where({ kind, name })
      .first('held_until as until')
    return row ? dateOfTimestamp(row.until) : clock.now()
  }

  async function purge(before: Date): Promise<void> {
    try {
      await storage.knex(leases).where('held_until', '<', timestampOf(before)).delete()
    } catch (error) {
      // Another process has just taken one of them.
      if (!isDeadlock(error)) throw error
    }
  }
}
