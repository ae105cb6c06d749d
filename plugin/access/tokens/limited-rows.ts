/** What the rows of tokens and of OAuth clients have in common: a person, a name, and limits. */
import type { Knex } from 'knex'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { ACTOR_COLUMNS, type PersonRow } from '../people/people.js'

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

/** A stored one. Its secret is unknown. */
export interface StoredLimited extends NewLimited {
  readonly id: number
  readonly createdAt: Date
  /** To the minute. */
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

export const LIMITED_COLUMNS: readonly (keyof LimitedRow)[] = [
  ...(['id', 'person_id', 'name', 'read_only', 'record_types', 'created_at', 'last_used_at'] as const),
]

/** A row with its person, whose columns `id` and `name` it has; its own are `own_id` and `own_name`. */
export type RowOfPerson<R extends LimitedRow> = R & PersonRow & { readonly own_id: number | string; readonly own_name: string }

/** The columns of a new row. */
export function columnsOfLimited({ name, personId, readOnly, recordTypes }: NewLimited, createdAt: Date) {
  return {
    ...{ name, person_id: personId, read_only: readOnly ? 1 : 0 },
    ...{ record_types: recordTypes && JSON.stringify(recordTypes), created_at: timestampOf(createdAt) },
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

/** Selects rows, called `own`, with their enabled people. */
export function withPerson(
  storage: Storage,
  person: RecordType,
  tableName: string,
  columns: readonly string[],
): Knex.QueryBuilder {
  return storage
    .knex(`${tableName} as own`)
    .join(`${storage.table(person.table)} as p`, 'p.id', 'own.person_id')
    .where({ 'p.disabled': 0 })
    .select(ACTOR_COLUMNS.map((column) => `p.${column}`))
    .select(columns.filter((column) => column !== 'id' && column !== 'name').map((column) => `own.${column}`))
    .select('own.id as own_id', 'own.name as own_name')
    .limit(1)
}
