/** Lanes that get nothing for a while: their receivers ask for it, or they fail (behaviour: Delivery). */
import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../core/chunks.js'
import type { Storage } from '../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'

/** Times before which lanes get nothing. */
export type Pauses = ReadonlyMap<string, Date>

/** Stores pauses in the transaction `db`. A longer pause of a lane stays. Only the holder of its lease writes one. */
export async function storePauses(storage: Storage, db: Knex, pauses: Pauses): Promise<void> {
  if (pauses.size === 0) return
  const table = storage.table('receiver_pauses')
  const stored = await readPauses(storage, db, [...pauses.keys()])
  const rows = [...pauses].map(([lane, until]) => ({
    receiver: lane,
    paused_until: timestampOf(later(stored.get(lane), until)),
  }))
  for (const some of chunksOf(rows, MAX_NARROW_ROWS))
    await db(table)
      .insert([...some])
      .onConflict('receiver')
      .merge()
}

/** Reads the pauses of lanes, also those that are over. */
async function readPauses(storage: Storage, db: Knex, lanes: readonly string[]): Promise<Pauses> {
  const rows: { readonly receiver: string; readonly until: string }[] = await db(storage.table('receiver_pauses'))
    .whereIn('receiver', [...lanes])
    .select('receiver', 'paused_until as until')
  return new Map(rows.map(({ receiver, until }) => [receiver, dateOfTimestamp(until)]))
}

/** Deletes pauses that have been over since the given time. */
export async function purgePauses(storage: Storage, before: Date): Promise<void> {
  await storage.knex(storage.table('receiver_pauses')).where('paused_until', '<', timestampOf(before)).delete()
}

/** The later one of two times. */
export function later(one: Date | undefined, other: Date): Date {
  return one && one > other ? one : other
}
