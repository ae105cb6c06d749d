/**
 * The relay: outbox → receivers. A batch of events is read, handed to the receivers and deleted in one transaction, so an
 * event is in the outbox or with all its receivers, never in both or neither. Receivers therefore only write rows (webhook
 * deliveries, waiting listener calls); what takes time or may fail is done from those rows afterwards.
 */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/connections.js'
import { enterRelayGate, type OutboxEvent, readOutbox, removeFromOutbox } from '../storage/outbox.js'
import { inOwnTransaction } from '../storage/own-transaction.js'

/**
 * Takes over events, in the order of their ids, by writing rows in the transaction `db`, and returns the number of these rows.
 * Throws to leave the events in the outbox.
 */
export type Receiver = (db: Knex, events: readonly OutboxEvent[]) => Promise<number>

export interface RelayDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly receivers: readonly Receiver[]
  /** Events a transaction; default 500. */
  readonly batchSize?: number
}

/** What a caller of the relay wants to know while it runs. */
export interface RelayProgress {
  /** After it, no further batch is begun. */
  readonly stopping?: AbortSignal
  /** Called after each batch is committed, with the number of rows of each receiver, in their order. */
  taken?(rows: readonly number[]): void
}

export interface Relay {
  /**
   * Hands on everything that is in the outbox, and answers how many events that were. Calling it while it runs makes the
   * running sweep look once more, so that nothing committed before the call is left behind, and returns the running promise.
   *
   * An event that a receiver cannot take stays in the outbox and is logged; the others go on without it.
   * @throws what the receivers or the database throw, when it hits ten events in a row: then it is not the events' fault
   */
  run(progress?: RelayProgress): Promise<number>
}

const BATCH_SIZE = 500
const FAILURES_IN_A_ROW = 10

export function createRelay(deps: RelayDeps): Relay {
  const { storage, clock, log, receivers, batchSize = BATCH_SIZE } = deps
  let running: Promise<number> | null = null
  let again = false

  return {
    run(progress = {}) {
      again = true
      running ??= sweepUntilQuiet(progress)
      return running
    },
  }

  async function sweepUntilQuiet(progress: RelayProgress): Promise<number> {
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

  async function sweep({ stopping, taken }: RelayProgress): Promise<number> {
    let [total, afterId, size, failures] = [0, 0, batchSize, 0]
    for (;;) {
      let events: readonly OutboxEvent[] = []
      let rows: number[] = []
      try {
        await inOwnTransaction(storage, async (db) => {
          await enterRelayGate(db, storage, clock.now())
          events = await readOutbox(db, storage, afterId, size)
          if (events.length === 0) return
          rows = []
          for (const receive of receivers) rows.push(await receive(db, events))
          await removeFromOutbox(db, storage, events)
        })
        total += events.length
        failures = 0
        if (events.length > 0) taken?.(rows)
        if (events.length < size || stopping?.aborted) return total
      } catch (error) {
        const [event] = events
        if (!event) throw error
        // One of the batch is to blame: go on one by one to find it, and then past it.
        if (size > 1) {
          size = 1
          continue
        }
        failures += 1
        log.error(
          { err: error, event: event.event, eventId: event.id },
          'An event could not be handed on and stays in the outbox',
        )
        if (failures === FAILURES_IN_A_ROW) throw error
        afterId = event.id
      }
    }
  }
}
