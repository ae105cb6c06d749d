/** Makes all records due that follow from values of an account which are others now (ADR 0044, ADR 0049). */
import { changeIn } from '../access/people/account-changes.js'
import { REMEMBER_FOR } from '../access/people/accounts.js'
import { type Instant, instantOf } from '../core/clock.js'
import type { Catalog, RecordType } from '../schema/catalog.js'
import { type Criterion, criterionOf } from '../schema/language/conditions.js'
import { ACCOUNT_RENEWALS, renewalNames } from '../schema/language/define-timer.js'
import type { Storage } from '../storage/database/connections.js'
import { inOwnTransaction } from '../storage/database/own-transaction.js'
import type { Queries } from '../storage/records/query.js'
import { stampWhere } from '../storage/records/stamp-rows.js'

export interface ChangedAccountsDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
}

export interface ChangedAccounts {
  /** True if an account has changed. */
  isDue(): Promise<boolean>
  /**
   * Makes some of the records due, in a transaction of their own; false if nothing is left. How far it has come is in memory: after
   * the death of a process, another one begins again, because the account keeps its mark until the end.
   */
  markSome(): Promise<boolean>
}

interface Changed {
  readonly id: string
  /** Mark of the last change, with the values: each change has another one. */
  readonly value_change: string
}

/** The records of one type that follow from a value, and the mark that makes them due. */
interface Following {
  readonly value: string
  readonly type: RecordType
  readonly column: string
  readonly where: Criterion
}

/** Records per transaction, as many as the timers save. */
const PIECE = 200

export function createChangedAccounts({ storage, catalog, queries }: ChangedAccountsDeps): ChangedAccounts {
  const following = [...catalog.types.values()].flatMap((type) =>
    type.timers.flatMap(({ column, renews, while: isOpen }): readonly Following[] =>
      renewalNames(renews).map((name) => {
        return { value: ACCOUNT_RENEWALS[name], type, column, where: { all: [isOpen, renews?.[name] ?? { all: [] }] } }
      }),
    ),
  )
  /** The change that is worked on, the place in the list, and the last record that was marked. */
  let done = { change: '', place: 0, last: 0 }

  const accounts = () => storage.knex(storage.table('accounts'))
  const first = (): Promise<Changed | undefined> =>
    accounts().whereNotNull('value_change').orderBy('value_change').first('id', 'value_change')
  /** Rules read the zone anew; processes remember all other values for a while. */
  const momentFor = ({ value }: Following, changedAt: Instant) =>
    value === ACCOUNT_RENEWALS.inAccountZone ? changedAt : instantOf(new Date(Date.parse(changedAt) + REMEMBER_FOR))

  const nextIds = async ({ type, where }: Following, account: string): Promise<readonly number[]> => {
    const all = [where, criterionOf({ account }), { path: ['id'], op: '>', values: [done.last] } as const]
    const sort = [{ field: 'id', descending: false }]
    const cells = await queries.cells({}, { type, where: { all }, sort, limit: PIECE }, [['id']])
    return cells.map(([id]) => Number(id))
  }

  return {
    isDue: async () => (await first()) !== undefined,
    async markSome() {
      const account = await first()
      if (!account) return false
      const { id, value_change: change } = account
      if (done.change !== change) done = { change, place: 0, last: 0 }
      const { at, values } = changeIn(change)
      const place = following.filter(({ value }) => values.includes(value))[done.place]
      if (!place) {
        // Unless a value has changed again.
        await accounts().where({ id, value_change: change }).update({ value_change: null })
        return true
      }
      const ids = await nextIds(place, id)
      if (ids.length > 0) {
        const where: Criterion = { all: [place.where, { path: ['id'], op: 'in', values: ids }] }
        const selection = { type: place.type, where }
        const moment = momentFor(place, at)
        await inOwnTransaction(storage, (db) => stampWhere({ storage, catalog }, db, selection, place.column, moment))
      }
      done = ids.length < PIECE ? { change, place: done.place + 1, last: 0 } : { ...done, last: ids.at(-1) ?? 0 }
      return true
    },
  }
}
