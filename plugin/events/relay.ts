/**
 * The relay: outbox → receivers. A batch of events is read, passed to the receivers and deleted in one transaction, so an event
 * is either in the outbox or with all its receivers. Receivers therefore only write rows (messages, deliveries); slow or unreliable
 * work is done later from those rows.
 *
 * One process relays at a time, by a lease: two could pass on the events of one record in the wrong order. The others wait in
 * line as long as the outbox has events.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Log } from '../core/log.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { Storage } from '../storage/database/connections.js'
import { isConnectionFault, isDeadlock } from '../storage/database/faults.js'
import { type Lease, LeaseLost, type Leases } from '../storage/queues/leases.js'
import { type OutboxEvent, readOutbox, removeFromOutbox } from '../storage/queues/outbox.js'

/**
 * Takes over events, in the order of their ids, by writing rows in the transaction `db`, and returns what follows from them.
 * Throws to leave the events in the outbox.
 */
export type Receiver<R = unknown> = (db: Knex, events: readonly OutboxEvent[]) => Promise<R>

export interface RelayDeps<R> {
  readonly storage: Storage
  readonly leases: Leases
  readonly log: Log
  readonly receivers: readonly Receiver<R>[]
  /** Requests, to which the relay gives way. */
  readonly traffic?: Pick<Traffic, 'isHeavy'>
  /** Events per transaction; default 500. */
  readonly batchSize?: number
  /** Milliseconds after which another process takes over from one that died; default 5000. */
  readonly lastsMs?: number
}

/** Signal and callback of a caller of the relay. */
export interface RelayProgress<R = unknown> {
  /** Aborts when no further batch may begin. */
  readonly stopping?: AbortSignal
  /** Called after each batch is committed, with the results of the receivers, in their order. */
  taken?(results: readonly R[]): void
}

export interface Relay<R = unknown> {
  /**
   * Passes on everything in the outbox, and returns the number of events. Calling it while it runs makes the running sweep look
   * again, so that nothing committed before the call is missed, and returns the running promise.
   *
   * An event that a receiver cannot accept stays in the outbox and is logged; the others are passed on without it.
   * @throws what the receivers or the database throw, when ten events in a row fail: then the events are not the cause
   */
  run(progress?: RelayProgress<R>): Promise<number>
}

const BATCH_SIZE = 500
/** The relay works in short steps, so another process takes over soon. */
const LEASE_LASTS = 5000
/** While requests wait for the processor, a rest follows a batch: so many times as long as it took, at most so many milliseconds. */
const RESTS = 3
const MAX_REST = 500
const FAILURES_IN_A_ROW = 10
/** Losses in a row against another process, with no event passed on in between, after which the sweep fails. */
const MAX_LOSSES = 5

export function createRelay<R>(deps: RelayDeps<R>): Relay<R> {
  const { storage, leases, log, receivers, traffic, batchSize = BATCH_SIZE, lastsMs = LEASE_LASTS } = deps
  let running: Promise<number> | null = null
  let again = false

  return {
    run(progress = {}) {
      again = true
      running ??= sweepUntilQuiet(progress)
      return running
    },
  }

  async function sweepUntilQuiet(progress: RelayProgress<R>): Promise<number> {
    let total = 0
    try {
      while (again && !progress.stopping?.aborted) {
        again = false
        total += await sweep(progress)
      }
      return total
    } finally {
      running = null
    }
  }

  /** After losing the lease, waits in line again: going on event by event would only compete with the process that holds it. */
  async function sweep(progress: RelayProgress<R>): Promise<number> {
    const isNeeded = async () => (await readOutbox(storage.knex, storage, 0, 1)).length > 0
    let total = 0
    const taken = (results: readonly R[], events: number) => {
      total += events
      if (events > 0) progress.taken?.(results)
    }
    for (let losses = 1; ; losses += 1) {
      const before = total
      try {
        const options = { isNeeded, signal: progress.stopping }
        await leases.inLine({ kind: 'relay', lastsMs }, options, (lease) => dispatchAll(lease, taken, progress.stopping))
        return total
      } catch (error) {
        if (!(error instanceof LeaseLost || isDeadlock(error))) throw error
        if (total > before) losses = 0
        if (losses === MAX_LOSSES) throw error
      }
    }
  }

  async function dispatchAll(
    lease: Lease,
    taken: (results: readonly R[], events: number) => void,
    stopping?: AbortSignal,
  ): Promise<void> {
    let [afterId, size, failures] = [0, batchSize, 0]
    /** The last event of a batch that failed: up to it, events are passed on one by one. */
    let blamed = 0
    for (;;) {
      let events: readonly OutboxEvent[] = []
      let results: R[] = []
      const begun = performance.now()
      try {
        await lease.inTransaction(async (db) => {
          results = []
          events = await readOutbox(db, storage, afterId, size)
          if (events.length === 0) return
          for (const receive of receivers) results.push(await receive(db, events))
          await removeFromOutbox(db, storage, events)
        })
        failures = 0
        taken(results, events.length)
        if (events.length < size || stopping?.aborted) return
        if (traffic?.isHeavy()) await sleep(Math.min(RESTS * (performance.now() - begun), MAX_REST))
      } catch (error) {
        const [event] = events
        if (!event || error instanceof LeaseLost || isDeadlock(error) || isConnectionFault(error)) throw error
        // One event of the batch caused the failure: go on one by one to find it and to skip it.
        if (size > 1) {
          size = 1
          blamed = events.at(-1)?.id ?? 0
          continue
        }
        failures += 1
        log.error(
          { err: error, event: event.event, eventId: event.id },
          'An event could not be dispatched and stays in the outbox',
        )
        if (failures === FAILURES_IN_A_ROW) throw error
        afterId = event.id
      }
      if (size < batchSize && (events.at(-1)?.id ?? 0) >= blamed) size = batchSize
    }
  }
}
