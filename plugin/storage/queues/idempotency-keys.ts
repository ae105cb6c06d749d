/** The keys of POSTs that may be repeated: written in the transaction of the POST, deleted after a day. ADR 0036. */
import type { Knex } from 'knex'
import { MAX_LISTED } from '../../core/chunks.js'
import type { Storage } from '../database/connections.js'
import { isDuplicate } from '../database/faults.js'
import { timestampOf } from '../database/timestamps.js'

/** Milliseconds for which a POST may be repeated. */
export const REPEATABLE_FOR = 24 * 3600_000

/** The key of a POST. Keys of other people and accounts never meet. */
export interface IdempotencyKey {
  readonly accountId: string
  readonly personId: number
  /** Digest of the path, and of the key that the client sent or the body implies. */
  readonly digest: string
}

/** A key that is about to be stored. */
export interface NewKey extends IdempotencyKey {
  /** Digest of the request: a repeat has the same. */
  readonly fingerprint: string
}

/** The answer of a POST, as it is stored. */
export interface KeptAnswer {
  /** The record that the POST created or found; null for other answers. */
  readonly record: { readonly type: string; readonly id: number } | null
  readonly text: string
}

/** A key that is in use. */
export interface UsedKey extends KeptAnswer, Pick<NewKey, 'fingerprint'> {
  readonly id: number
}

/** Another transaction has used the key. */
export class KeyInUse extends Error {
  override readonly name = 'KeyInUse'
}

/**
 * Reserves a key in the transaction `db`: a transaction that wants the same one waits for its end.
 *
 * @param replaced a row of this key that does not count any more
 * @throws KeyInUse
 */
export async function reserveKey(db: Knex, storage: Storage, key: NewKey, now: Date, replaced: UsedKey | null): Promise<void> {
  if (replaced) await db(storage.table(KEYS)).where({ id: replaced.id }).delete()
  await insertKey(db, storage, key, now, {})
}

/** Stores the answer of a reserved key in the same transaction. */
export async function keepAnswer(db: Knex, storage: Storage, key: IdempotencyKey, kept: KeptAnswer): Promise<void> {
  await db(storage.table(KEYS)).where(columnsOf(key)).update(answered(kept))
}

/** Stores a key that was not reserved, with its answer, in the transaction `db`. @throws KeyInUse */
export async function keepKey(db: Knex, storage: Storage, key: NewKey, now: Date, kept: KeptAnswer): Promise<void> {
  await insertKey(db, storage, key, now, answered(kept))
}

async function insertKey(db: Knex, storage: Storage, key: NewKey, now: Date, answer: object): Promise<void> {
  const { fingerprint } = key
  try {
    await db(storage.table(KEYS)).insert({ ...columnsOf(key), fingerprint, created_at: timestampOf(now), ...answer })
  } catch (error) {
    throw isDuplicate(error) ? new KeyInUse() : error
  }
}

/** The committed row of a key; `isOver` if the time to repeat the POST has passed. Null if the key was not used. */
export async function findKey(
  storage: Storage,
  key: IdempotencyKey,
  now: Date,
): Promise<(UsedKey & { readonly isOver: boolean }) | null> {
  const { knex } = storage
  const row: KeyRow | undefined = await knex(storage.table(KEYS))
    .where(columnsOf(key))
    .first(...COLUMNS, knex.raw('created_at < ? as is_over', [oldest(now)]))
  if (!row) return null
  const { answer, fingerprint, record_id: id, record_type: type } = row
  const record = type === null ? null : { type, id: Number(id) }
  return { id: Number(row.id), fingerprint, record, text: answer ?? '', isOver: Boolean(Number(row.is_over)) }
}

/** Deletes the keys of POSTs that cannot be repeated any more. */
export async function purgeKeys(storage: Storage, now: Date): Promise<void> {
  const keys = () => storage.knex(storage.table(KEYS))
  for (let isMore = true; isMore; ) {
    const rows: { id: number | string }[] = await keys()
      .where('created_at', '<', oldest(now))
      .orderBy('created_at')
      .limit(MAX_LISTED)
      .select('id')
    const ids = rows.map(({ id }) => Number(id))
    if (ids.length > 0) await keys().whereIn('id', ids).delete()
    isMore = ids.length === MAX_LISTED
  }
}

const KEYS = 'idempotency_keys'
const COLUMNS = ['id', 'fingerprint', 'record_type', 'record_id', 'answer'] as const

interface KeyRow {
  readonly id: number | string
  readonly fingerprint: string
  readonly record_type: string | null
  readonly record_id: number | string | null
  readonly answer: string | null
  readonly is_over: number | string | boolean
}

function columnsOf({ accountId, digest, personId }: IdempotencyKey) {
  return { person_id: personId, account_id: accountId, digest }
}

function answered({ record, text }: KeptAnswer) {
  return { record_type: record?.type ?? null, record_id: record?.id ?? null, answer: text }
}

function oldest(now: Date): string {
  return timestampOf(new Date(now.getTime() - REPEATABLE_FOR))
}
