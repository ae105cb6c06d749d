/** The log of deliveries: what waits, was sent or given up, on all channels, and how it is sent again (ADR 65). */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import { type Clock, instantOf } from '../../core/clock.js'
import { Conflict, NotFound } from '../../core/errors.js'
import type { Storage } from '../../storage/database/connections.js'
import { inOwnTransaction } from '../../storage/database/own-transaction.js'
import { afterCommit, dbOf, inTransaction } from '../../storage/database/transaction.js'
import type { Channel } from '../channel.js'
import { type Figures, readFigures } from './figures.js'
import type { Parameters } from './log-parameters.js'
import { addLine } from './note-line.js'
import { createPutBack, retryNow } from './put-back.js'
import {
  channelOf,
  findLogged,
  type ListedDelivery,
  type LogPage,
  type Place,
  readPage,
  type ShownDelivery,
  showDelivery,
  withSummaries,
} from './read-log.js'
import { findCandidates, readReplay, statesOf } from './replay.js'

/** Dependencies of the log. */
export interface DeliveryLogDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly channels: readonly Channel[]
  /** To be called after a commit that has queued deliveries of a channel. Returns at once. */
  readonly wake: (channel: string) => void
}

/** One target of a channel, in an account. */
export type LoggedTarget = Required<Place>

/** See the head of this file. Nobody is refused here: callers decide who may see a place. */
export interface DeliveryLog {
  /** A page, with parameters as lists have them; the newest first. @throws BadRequest */
  list(call: Call, place: Place, parameters: Parameters): Promise<LogPage>
  /** @throws NotFound for a delivery that is not in this place */
  read(call: Call, place: Place, id: number): Promise<ShownDelivery>
  /**
   * Sends a delivery again, now, also after its last attempt. In the transaction of the call, if it has one.
   *
   * @throws NotFound; Conflict if it is due or being sent, for a test, and if its target gets nothing
   */
  retry(call: Call, place: Place, id: number): Promise<ListedDelivery>
  /**
   * Sends again what a target should have had in a time: in order, behind what is due. In transactions of its own, each for a
   * thousand deliveries; what is done stays if one fails, and a repeat of the replay does the rest.
   *
   * @param body `{ from, to, state, event }`, as it was sent
   * @throws Invalid; Conflict if the target gets nothing
   */
  replay(call: Call, target: LoggedTarget, body: Readonly<Record<string, unknown>>): Promise<{ readonly count: number }>
  /** True if an account has this target. */
  has(call: Call, target: LoggedTarget): Promise<boolean>
  figures(target: Omit<LoggedTarget, 'accountId'>): Promise<Figures>
}

const AT_ONCE = 1_000

/** Creates the log, without any I/O. */
export function createDeliveryLog(deps: DeliveryLogDeps): DeliveryLog {
  const { channels, clock, storage, wake } = deps

  return {
    list: (call, place, parameters) => readPage(deps, call, dbOf(storage, call), place, parameters),
    async read(call, place, id) {
      const db = dbOf(storage, call)
      const logged = await findLogged(storage, db, place, id)
      if (!logged) throw new NotFound()
      return showDelivery(deps, call, db, logged)
    },
    async retry(call, place, id) {
      return inTransaction(storage, call, async (inside) => {
        const db = dbOf(storage, inside)
        const logged = await findLogged(storage, db, place, id, 'lock')
        if (!logged) throw new NotFound()
        const { channel: name, target } = logged.listed
        const channel = channelOf(deps, logged)
        const lane = await laneOf(channel, target, db)
        await retryNow(db, storage, logged, lane, clock.now())
        const owner = channel?.log?.ownerOf?.(target)
        if (owner) await addLine(db, storage, inside, owner, { retried: [null, id] })
        afterCommit(inside, () => wake(name))
        const now = await findLogged(storage, db, place, id)
        const [shown] = now ? await withSummaries(deps, inside, [now]) : []
        return shown ?? logged.listed
      })
    },
    async replay(call, place, body) {
      const asked = readReplay(call, body)
      const channel = channels.find(({ name }) => name === place.channel)
      await laneOf(channel, place.target, storage.knex)
      const heard = (await channel?.log?.heardBy?.(storage.knex, place.target)) ?? null
      const stopped = () => call.signal?.throwIfAborted()
      const candidates = await findCandidates(storage, place, asked, heard, stopped)
      const owner = channel?.log?.ownerOf?.(place.target)
      const { event, from, state, to } = asked
      const line = { from: instantOf(from), to: instantOf(to), state, event, count: candidates.length }
      const putBack = createPutBack(deps, place.channel)
      let count = 0
      for (const [index, some] of [...chunksOf(candidates, AT_ONCE)].entries()) {
        stopped()
        const lane = (await channel?.meet([place.target]))?.get(place.target)?.lane
        // Disabled meanwhile: what waits for it is dropped, and nothing more begins to wait.
        if (lane === undefined) break
        count += await inOwnTransaction(storage, async (db) => {
          if (index === 0 && owner) await addLine(db, storage, call, owner, { replayed: [null, line] })
          return putBack(db, some, lane, statesOf(asked))
        })
        wake(place.channel)
      }
      return { count }
    },
    async has(call, { accountId, channel, target }) {
      const named = channels.find(({ name }) => name === channel)
      return (await named?.log?.belongs?.(dbOf(storage, call), accountId, target)) ?? false
    },
    figures: ({ channel, target }) => readFigures(deps, channel, target),
  }

  /** @throws Conflict */
  async function laneOf(channel: Channel | undefined, target: string, db: Knex): Promise<string> {
    const met = (await channel?.meet([target], db))?.get(target)
    if (!met) throw new Conflict('Nothing is sent there: the target is disabled, or gone')
    return met.lane
  }
}
