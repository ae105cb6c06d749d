/** Receivers that get nothing before a time: because they asked for it, or because they fail (behaviour: Webhook delivery). */
import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../core/chunks.js'
import type { Storage } from '../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../storage/database/timestamps.js'
import type { Attempt } from './attempt.js'
import { type Health, nextProbe } from './health.js'

/** Times before which receivers get nothing. */
export type Pauses = ReadonlyMap<string, Date>

/**
 * Returns the pauses that follow from attempts: of receivers that ask for one, and of those whose webhooks all fail.
 *
 * @param states health of each webhook after the attempts
 */
export function pausesAfter(attempts: readonly Attempt[], states: ReadonlyMap<number, Health>): Pauses {
  const probes = new Map<string, Date | null>()
  const asked = new Map<string, Date>()
  for (const { at, delivery, outcome } of attempts) {
    const { receiver, webhookId } = delivery
    const health = states.get(webhookId)
    const probe = health ? nextProbe(health, at) : null
    const before = probes.get(receiver)
    probes.set(receiver, before === null || probe === null ? null : later(before, probe))
    if (!outcome.ok && outcome.retryAt) asked.set(receiver, later(asked.get(receiver), outcome.retryAt))
  }
  const found = new Map(asked)
  for (const [receiver, probe] of probes) if (probe) found.set(receiver, later(found.get(receiver), probe))
  return found
}

/** Stores pauses in the transaction `db`. A longer pause of a receiver stays. Only the holder of its lease writes one. */
export async function storePauses(storage: Storage, db: Knex, pauses: Pauses): Promise<void> {
  if (pauses.size === 0) return
  const table = storage.table('receiver_pauses')
  const stored = await readPauses(storage, db, [...pauses.keys()])
  const rows = [...pauses].map(([receiver, until]) => ({
    receiver,
    paused_until: timestampOf(later(stored.get(receiver), until)),
  }))
  for (const some of chunksOf(rows, MAX_NARROW_ROWS))
    await db(table)
      .insert([...some])
      .onConflict('receiver')
      .merge()
}

/** Reads the pauses of receivers, also those that are over. */
async function readPauses(storage: Storage, db: Knex, receivers: readonly string[]): Promise<Pauses> {
  const rows: { readonly receiver: string; readonly until: string }[] = await db(storage.table('receiver_pauses'))
    .whereIn('receiver', [...receivers])
    .select('receiver', db.raw('cast(paused_until as char) as until'))
  return new Map(rows.map(({ receiver, until }) => [receiver, dateOfTimestamp(until)]))
}

/** Deletes pauses that have been over since the given time. */
export async function purgePauses(storage: Storage, before: Date): Promise<void> {
  await storage.knex(storage.table('receiver_pauses')).where('paused_until', '<', timestampOf(before)).delete()
}

function later(one: Date | undefined, other: Date): Date {
  return one && one > other ? one : other
}
