/**
 * Transactions that are committed long after the times which they store. Whoever asks for what has changed since a time compares
 * such times, and would miss them: they leave a row, in the same transaction (ADR 0085).
 */
import type { Knex } from 'knex'
import { type Instant, instantOf } from '../../core/clock.js'
import type { Storage } from './connections.js'
import { dateOfTimestamp, timestampOf } from './timestamps.js'
import type { Written } from './written-tables.js'

/** Milliseconds after its first time from which a transaction leaves a row. Saves are shorter, and send no statement for it. */
const LATE_AFTER = 3_000
/**
 * Milliseconds that a stored time may be older than the commit, without a row: the ones above, those of a slow commit, and the
 * difference of the clocks of two machines.
 */
const TOLERANCE = 10_000
/** Milliseconds for which rows are kept, and by which they are replaced for older times: no transaction stays open longer. */
const [KEEP, LONGEST] = [90 * 86_400_000, 86_400_000]

/** The oldest of two times; null for none. */
export function older(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || (other !== null && other < one) ? other : one
}

/** True if a transaction that stores this time would be committed late. */
export function isLate({ clock }: Storage, oldest: Instant | null): oldest is Instant {
  return oldest !== null && clock.now().getTime() - Date.parse(oldest) >= LATE_AFTER
}

/**
 * To be called just before the commit of a transaction.
 *
 * @param oldest the first time of its calls
 * @param written what it has written, if that may be nothing
 */
export async function noteLateCommit(storage: Storage, db: Knex, oldest: Instant | null, written?: Written): Promise<void> {
  if (!isLate(storage, oldest) || written?.tables()?.size === 0) return
  const row = { oldest: timestampOf(new Date(oldest)), committed_at: timestampOf(storage.clock.now()) }
  await db(storage.table('late_commits')).insert(row)
}

/**
 * Finds the time since which records must be compared, so that all are found that were committed after `from`, whenever their
 * saves began. Records from before it may be found as well.
 */
export async function timesSince(storage: Storage, db: Knex, from: Date): Promise<Date> {
  const since = new Date(from.getTime() - TOLERANCE)
  if (storage.clock.now().getTime() - since.getTime() > KEEP) return new Date(since.getTime() - LONGEST)
  const row: { readonly oldest: string } | undefined = await db(storage.table('late_commits'))
    .where('committed_at', '>=', timestampOf(since))
    .orderBy('oldest')
    .first('oldest')
  const oldest = row ? dateOfTimestamp(row.oldest) : since
  return oldest < since ? oldest : since
}

/** A time to ask with next: what is read after it has all that was committed before. */
export function nextFrom({ clock }: Storage): Date {
  return new Date(instantOf(clock.now()))
}

/** Removes the rows that are replaced by {@link LONGEST}. */
export async function purgeLateCommits(storage: Storage): Promise<void> {
  const old = timestampOf(new Date(storage.clock.now().getTime() - KEEP - LONGEST))
  await storage.knex(storage.table('late_commits')).where('committed_at', '<', old).delete()
}
