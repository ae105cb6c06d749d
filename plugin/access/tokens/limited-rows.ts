/** What the tables of tokens and of OAuth clients have in common: rows with a person, a name, and limits. */
import type { Knex } from 'knex'
import type { Log } from '../../core/log.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { dbOf } from '../../storage/database/transaction.js'
import { createLastUses, type LastUses } from './last-uses.js'
import { type InCall, type RowsOfPeopleDeps, rowWithPerson, type WithPerson } from './rows-of-people.js'
import type { Secrets } from './secrets.js'
import type { RandomBytes } from './token-text.js'

/** What a client, or a token, may do. */
export interface Limits {
  readonly readOnly: boolean
  /** Names of record types; null for all of them. */
  readonly recordTypes: readonly string[] | null
}

/** A token or client to make. */
export interface NewLimited extends Limits {
  /** The person as whom it acts. */
  readonly personId: number
  /** At most 128 characters. */
  readonly name: string
}

/** A stored token or client. Its secret is unknown. */
export interface StoredLimited extends NewLimited {
  readonly id: number
  readonly createdAt: Date
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: Date | null
}

/** The columns that both tables have. */
export interface LimitedRow {
  readonly id: number | string
  readonly person_id: number | string
  readonly name: string
  readonly read_only: number | boolean
  readonly record_types: string | null
  readonly created_at: string
  readonly last_used_at: string | null
}

const LIMITED_COLUMNS: readonly (keyof LimitedRow)[] = [
  'id',
  'person_id',
  'name',
  'read_only',
  'record_types',
  'created_at',
  'last_used_at',
]

/** A row with its person, whose columns `id` and `name` it has; its own are `own_id` and `own_name`. */
export type RowOfPerson<R extends LimitedRow> = WithPerson<R> & { readonly own_name: string }

/** One of the tables. */
export interface LimitedRows<R extends LimitedRow, Stored extends StoredLimited> {
  /** A query outside of calls, or in the transaction of one. */
  query(call?: InCall): Knex.QueryBuilder
  /** Adds a row, and returns what is stored of all of them. */
  add(call: InCall, given: NewLimited, own: OwnColumns): Promise<Pick<StoredLimited, 'id' | 'createdAt' | 'lastUsedAt'>>
  /** Latest first. */
  list(call: InCall, where: Readonly<Record<string, number | string>>): Promise<readonly Stored[]>
  /** The row, called `own`, with its person if that is enabled. */
  withPerson(where: Readonly<Record<string, string>>): Promise<RowOfPerson<R> | undefined>
  readonly uses: LastUses
}

/** Values of the columns that only one of the tables has. */
type OwnColumns = Readonly<Record<string, number | string | null>>

/** Dependencies of both tables, and of what uses them. */
export interface LimitedRowsDeps extends RowsOfPeopleDeps {
  readonly secrets: Pick<Secrets, 'digest'>
  readonly log: Log
  readonly randomBytes: RandomBytes
}

/**
 * Opens one of the tables. Does no I/O.
 *
 * @param ownColumns the columns that only this table has, without the digest
 */
export function limitedRows<R extends LimitedRow, Stored extends StoredLimited>(
  deps: LimitedRowsDeps,
  tableName: string,
  ownColumns: readonly (keyof R & string)[],
  storedIn: (row: R) => Stored,
): LimitedRows<R, Stored> {
  const { storage, clock } = deps
  const columns: readonly string[] = [...LIMITED_COLUMNS, ...ownColumns]
  const query = (call?: InCall): Knex.QueryBuilder => dbOf(storage, call)(tableName)
  return {
    query,
    async add(call, { name, personId, readOnly, recordTypes }, own) {
      const createdAt = clock.now()
      const [id] = await query(call).insert({
        name,
        person_id: personId,
        read_only: readOnly ? 1 : 0,
        record_types: recordTypes && JSON.stringify(recordTypes),
        created_at: timestampOf(createdAt),
        ...own,
      })
      return { id: Number(id), createdAt, lastUsedAt: null }
    },
    async list(call, where) {
      const rows = await query(call)
        .where(where)
        .orderBy('id', 'desc')
        .select([...columns])
      return (rows as R[]).map(storedIn)
    },
    withPerson(where) {
      const own = columns.filter((column) => column !== 'id' && column !== 'name').map((column) => `own.${column}`)
      return rowWithPerson<R & { readonly own_name: string }>(deps, tableName, [...own, 'own.name as own_name'], where)
    },
    uses: createLastUses(deps, () => query()),
  }
}

/** What is in a row. */
export function limitedIn(row: LimitedRow): StoredLimited {
  return {
    id: Number(row.id),
    personId: Number(row.person_id),
    name: row.name,
    readOnly: Boolean(Number(row.read_only)),
    recordTypes: row.record_types === null ? null : (JSON.parse(row.record_types) as string[]),
    createdAt: dateOfTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : dateOfTimestamp(row.last_used_at),
  }
}
