/** Makes all records due that count in the time zone of an account which has another one now (ADR 0044). */
import { type Clock, instantOf } from '../core/clock.js'
import type { Catalog, RecordType } from '../schema/compile/compile.js'
import { type Criterion, criterionOf } from '../schema/conditions.js'
import type { Storage } from '../storage/connections.js'
import { inOwnTransaction } from '../storage/own-transaction.js'
import type { Queries } from '../storage/query.js'
import { stampWhere } from '../storage/stamp.js'

export interface MovedAccountsDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
  readonly clock: Clock
}

export interface MovedAccounts {
  /** True if an account has moved. */
  isDue(): Promise<boolean>
  /**
   * Makes some of the records due, in a transaction of their own; false if nothing is left. How far it has come is in memory: after
   * the death of a process, another one begins again, because the account keeps its mark until the end.
   */
  markSome(): Promise<boolean>
}

interface Moved {
  readonly id: string
  /** Another one for each change of the zone. */
  readonly zone_change: string
}

/** The records of one type that count in the zone, and the mark that makes them due. */
interface Counted {
  readonly type: RecordType
  readonly column: string
  readonly where: Criterion
}

/** Records per transaction, as many as the timers save. */
const PIECE = 200

export function createMovedAccounts({ storage, catalog, queries, clock }: MovedAccountsDeps): MovedAccounts {
  const counted = [...catalog.types.values()].flatMap((type) =>
    type.timers.flatMap(({ column, renews, while: isOpen }): Counted[] =>
      renews?.inAccountZone ? [{ type, column, where: { all: [isOpen, renews.inAccountZone] } }] : [],
    ),
  )
  /** The change that is worked on, the place in the list, and the last record that was marked. */
  let done = { change: '', place: 0, last: 0 }

  const accounts = () => storage.knex(storage.table('accounts'))
  const first = (): Promise<Moved | undefined> =>
    accounts().whereNotNull('zone_change').orderBy('zone_change').first('id', 'zone_change')

  const nextIds = async ({ type, where }: Counted, account: string): Promise<readonly number[]> => {
    const all = [where, criterionOf({ account }), { path: ['id'], op: '>', values: [done.last] } as const]
    const sort = [{ field: 'id', descending: false }]
    const cells = await queries.cells({}, { type, where: { all }, sort, limit: PIECE }, [['id']])
    return cells.map(([id]) => Number(id))
  }

  return {
    isDue: async () => (await first()) !== undefined,
    async markSome() {
      const moved = await first()
      if (!moved) return false
      const { id, zone_change: change } = moved
      if (done.change !== change) done = { change, place: 0, last: 0 }
      const place = counted[done.place]
      if (!place) {
        // Unless the zone has changed again.
        await accounts().where({ id, zone_change: change }).update({ zone_change: null })
        return true
      }
      const ids = await nextIds(place, id)
      if (ids.length > 0) {
        const where: Criterion = { all: [place.where, { path: ['id'], op: 'in', values: ids }] }
        const now = instantOf(clock.now())
        const selection = { type: place.type, where }
        await inOwnTransaction(storage, (db) => stampWhere({ storage, catalog }, db, selection, place.column, now))
      }
      done = ids.length < PIECE ? { change, place: done.place + 1, last: 0 } : { ...done, last: ids.at(-1) ?? 0 }
      return true
    },
  }
}
