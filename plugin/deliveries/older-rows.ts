/**
 * Carries over what a process of the version before has queued: such a process may run beside this one, and relays events into tables
 * of its own. A row is moved under the lease that its process would need to send it, so it is never sent twice. Until all rows of a
 * lane are moved, nothing newer of it is sent.
 */
import type { Knex } from 'knex'
import type { Storage } from '../storage/database/connections.js'
import { inOwnTransaction } from '../storage/database/own-transaction.js'
import { insertDeliveries, type NewDelivery, rowOfDelivery, STATES } from '../storage/queues/delivery-rows.js'
import type { Holder } from '../storage/queues/leases.js'
import type { CarriedOver, Channel, OlderRow } from './channel.js'

const ROWS_AT_ONCE = 200

interface CarryOverDeps {
  readonly storage: Storage
  readonly channel: Channel
  readonly holder: Holder
}

interface CarryOver {
  /**
   * Moves all rows whose leases can be had, but none into lanes that are busy: they would be behind what has been read of them. Such
   * lanes read nothing more until they are not busy.
   *
   * @param open lanes whose leases this process keeps
   * @param busy those of them of which deliveries are in memory or in flight
   * @returns a function that is true for lanes with rows that are left
   */
  carryOver(open: ReadonlySet<string>, busy: ReadonlySet<string>): Promise<(lane: string) => boolean>
  /** A query that has a row as long as a lane waits for older ones; undefined for channels that the version before had not. */
  readonly isBlocked: ((lane: string) => Knex.QueryBuilder) | undefined
}

export function createCarryOver({ storage, channel, holder }: CarryOverDeps): CarryOver {
  const { older } = channel
  if (!older) return { carryOver: async () => () => false, isBlocked: undefined }
  const { columns, laneColumn, times } = older
  const pool = storage.knex
  const table = storage.table(older.table)

  return {
    async carryOver(open, busy) {
      const leases: string[] = await leasesOfRows()
      if (leases.length === 0) return () => false
      const mine = await holder.take(laneColumn === null && busy.size > 0 ? [] : leases.filter((lease) => !busy.has(lease)))
      for (const lease of mine) while ((await move(lease)) === ROWS_AT_ONCE);
      await holder.release([...mine].filter((lease) => !open.has(lease)))
      const left = new Set(leases.filter((lease) => !mine.has(lease)))
      return (lane) => left.has(laneColumn === null ? '' : lane)
    },
    isBlocked: (lane) =>
      laneColumn === null ? pool(table).select(pool.raw('1')) : pool(table).where(laneColumn, lane).select(pool.raw('1')),
  }

  async function leasesOfRows(): Promise<string[]> {
    if (laneColumn !== null) return pool(table).distinct().pluck(laneColumn)
    return (await pool(table).first('id')) === undefined ? [] : ['']
  }

  /** Moves some rows of a lease, and returns their number. */
  function move(lease: string): Promise<number> {
    return inOwnTransaction(storage, async (db) => {
      if (!(await holder.fenceAll(db, [lease])).has(lease)) return 0
      const rows: OlderRow[] = await some(db, lease).forUpdate()
      const moved = rows.flatMap((row) => {
        const delivery = older?.carryOver(row)
        return delivery ? [rowOf(delivery)] : []
      })
      await insertDeliveries(db, storage, moved)
      const ids = rows.map(({ id }) => Number(id))
      if (ids.length > 0) await db(table).whereIn('id', ids).delete()
      return rows.length
    })
  }

  function some(db: Knex, lease: string): Knex.QueryBuilder {
    const rows = db(table)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .select('id', ...columns, ...times)
    return laneColumn === null ? rows : rows.where(laneColumn, lease)
  }

  function rowOf(delivery: NewDelivery & CarriedOver): object {
    const { attempts, event, failedAt, lastError, nextAt, objectId } = delivery
    return {
      ...rowOfDelivery(channel.name, delivery, null, nextAt),
      ...{ event, object_id: objectId, attempts, last_error: lastError },
      ...{ state: failedAt === null ? STATES.waiting : STATES.failed, finished_at: failedAt },
    }
  }
}
