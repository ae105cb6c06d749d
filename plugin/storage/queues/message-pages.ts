/** Reads messages in the order of their numbers, for the feed. Each statement reads a range of numbers, so none is ever long. */
import type { Knex } from 'knex'
import type { Storage } from '../database/connections.js'
import { MESSAGE_COLUMNS, type Message, type MessageRow, messageIn } from './messages.js'

const TABLE = 'messages'

/** Numbers of messages. */
export interface Range {
  /** The number before the first one. */
  readonly after: number
  readonly upTo: number
}

/** The numbers of the oldest and the newest message that are kept; null if there is none. */
export async function messageBounds(
  db: Knex,
  storage: Storage,
): Promise<{ readonly oldest: number; readonly newest: number } | null> {
  const table = storage.table(TABLE)
  // Two statements in one: SQLite would read the whole index for both values at once.
  const [row] = await db.select({ oldest: db(table).min('sequence'), newest: db(table).max('sequence') })
  return row?.newest ? { oldest: Number(row.oldest), newest: Number(row.newest) } : null
}

/**
 * The number from which on all messages of the range are kept: the first one, unless some were removed. One statement, or a
 * second one to find the last gap.
 */
export async function completeFrom(db: Knex, storage: Storage, { after, upTo }: Range): Promise<number> {
  const table = storage.table(TABLE)
  const [row] = await db(table)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .count({ kept: '*' })
    .max({ last: 'sequence' })
  if (Number(row?.['kept']) >= upTo - after) return after + 1
  if (Number(row?.['last']) < upTo) return upTo + 1
  const [gap] = await db({ m: table })
    .leftJoin({ p: table }, 'p.sequence', db.raw('?? - 1', ['m.sequence']))
    .where('m.sequence', '>', after + 1)
    .where('m.sequence', '<=', upTo)
    .whereNull('p.sequence')
    .max({ first: 'm.sequence' })
  return Number(gap?.['first'] ?? upTo + 1)
}

/** Which messages of a range are read. */
export interface Chosen extends Range {
  /** Ids of the accounts that hold the records. */
  readonly accounts: readonly string[]
  /** Names of record types; null for all of them. */
  readonly types: readonly string[] | null
  readonly limit: number
}

/** The first messages of the range, in order. */
export async function messagesInRange(db: Knex, storage: Storage, chosen: Chosen): Promise<readonly Message[]> {
  const { accounts, after, limit, types, upTo } = chosen
  const query = db(storage.table(TABLE))
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .whereIn('account_id', [...accounts])
    .orderBy('sequence')
    .limit(limit)
  if (types) query.whereIn('record_type', [...types])
  const rows: MessageRow[] = await query.select(...MESSAGE_COLUMNS, 'created_at as at')
  return rows.map(messageIn)
}
