/**
 * Rows of files. A file is `uploading` until its bytes are stored, `uploaded` until a record uses it, `used` while one does,
 * and `removed` until its bytes are deleted. Timestamps are texts in UTC.
 */
import type { Knex } from 'knex'
import { chunksOf } from '../core/chunks.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'

export type FileState = 'uploading' | 'uploaded' | 'used' | 'removed'
/** Place of the bytes: the database, or the store of the host. */
export type Keeper = 'database' | 'host'

export interface FileRow {
  readonly id: number
  readonly key: string
  readonly location: string
  readonly keptBy: Keeper
  readonly accountId: string
  /** The person who uploaded it; null for the system. */
  readonly personId: number | null
  readonly name: string
  /** Media type, as the uploader named it. */
  readonly type: string
  readonly size: number
  /** Digest of the bytes in hexadecimal digits; empty until they are stored. */
  readonly sha256: string
  readonly state: FileState
}

/** A file whose bytes are not stored yet. */
export type NewFile = Omit<FileRow, 'id' | 'size' | 'sha256' | 'state'>

/** A picture of a record. Its bytes are already in the table of file chunks. */
export interface NewPicture extends Omit<FileRow, 'id' | 'keptBy' | 'state'> {
  readonly recordType: string
  readonly recordId: number
}

/** Number of files per query of the cleanup. */
const BATCH = 500
const UNUSED: readonly FileState[] = ['uploading', 'uploaded']
/** Marks a file as removed. Without a key it cannot be found, and another file may use the key. */
const REMOVED = { state: 'removed', key: null }

/**
 * Inserts a file in the state `uploading`. Replaces an unused one with the same key, because clients repeat uploads whose
 * response they did not get.
 *
 * @throws an error that `isDuplicate` recognizes, if a record uses a file with this key
 */
export async function insertFile(storage: Storage, db: Knex, file: NewFile, now: Date): Promise<number> {
  const files = () => db(storage.table('files'))
  await files().where({ key: file.key }).whereIn('state', UNUSED).update(REMOVED)
  const [id] = await files().insert({ ...columnsOf(file), state: 'uploading', created_at: timestampOf(now) })
  return Number(id)
}

/** Stores that the bytes are complete. Returns false if the file has been marked as removed since. */
export async function finishFile(
  storage: Storage,
  db: Knex,
  id: number,
  facts: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  const found = await db(storage.table('files'))
    .where({ id, state: 'uploading' })
    .update({ ...facts, state: 'uploaded' })
  return Number(found) > 0
}

/** Inserts a picture in the state `used`, in the transaction of its record. */
export async function insertPicture(storage: Storage, db: Knex, picture: NewPicture, now: Date): Promise<void> {
  const { size, sha256, recordType, recordId } = picture
  await db(storage.table('files')).insert({
    ...columnsOf({ ...picture, keptBy: 'database' }),
    size,
    sha256,
    record_type: recordType,
    record_id: recordId,
    state: 'used',
    created_at: timestampOf(now),
  })
}

/** Finds files by key; unknown keys are omitted. */
export async function findFiles(storage: Storage, db: Knex, keys: readonly string[]): Promise<ReadonlyMap<string, FileRow>> {
  const found = new Map<string, FileRow>()
  for (const some of chunksOf(keys)) {
    const rows = await db(storage.table('files'))
      .whereIn('key', [...some])
      .select(...COLUMNS)
    for (const row of rows) found.set(String(row.key), fileOf(row))
  }
  return found
}

/** Marks uploaded files as used. Returns false if one of them is already used or removed. */
export async function useFiles(storage: Storage, db: Knex, ids: readonly number[]): Promise<boolean> {
  let found = 0
  for (const some of chunksOf(ids)) {
    const uploaded = db(storage.table('files'))
      .whereIn('id', [...some])
      .where({ state: 'uploaded' })
    found += Number(await uploaded.update({ state: 'used' }))
  }
  return found === ids.length
}

/** Marks unused files as removed that are older than the given time. */
export async function markUnusedRemoved(storage: Storage, olderThan: Date): Promise<void> {
  await storage
    .knex(storage.table('files'))
    .whereIn('state', UNUSED)
    .where('created_at', '<', timestampOf(olderThan))
    .update(REMOVED)
}

/** Marks files as removed, whether or not a record uses them. */
export async function markRemoved(storage: Storage, ids: readonly number[], db: Knex = storage.knex): Promise<void> {
  for (const some of chunksOf(ids)) {
    await db(storage.table('files'))
      .whereIn('id', [...some])
      .update(REMOVED)
  }
}

/** Returns the next files that are marked as removed, by id. */
export async function removedFiles(storage: Storage, afterId: number): Promise<readonly Pick<FileRow, 'id' | 'location'>[]> {
  const rows: Record<'id' | 'location', unknown>[] = await storage
    .knex(storage.table('files'))
    .where({ state: 'removed' })
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(BATCH)
    .select('id', 'location')
  return rows.map(({ id, location }) => ({ id: Number(id), location: String(location) }))
}

/** Deletes the row of a file whose bytes are deleted. */
export async function deleteFile(storage: Storage, id: number): Promise<void> {
  await storage.knex(storage.table('files')).where({ id, state: 'removed' }).delete()
}

/** Returns the next files whose bytes are in the database, by id. */
export async function filesInDatabase(storage: Storage, afterId: number): Promise<readonly FileRow[]> {
  const rows = await storage
    .knex(storage.table('files'))
    .where({ kept_by: 'database' })
    .whereIn('state', ['uploaded', 'used'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(BATCH)
    .select(...COLUMNS)
  return rows.map(fileOf)
}

/** Stores that the bytes are now in the store of the host. */
export async function handToHost(storage: Storage, id: number): Promise<void> {
  await storage.knex(storage.table('files')).where({ id }).update({ kept_by: 'host' })
}

const COLUMNS = [
  ...['id', 'key', 'location', 'kept_by', 'account_id', 'person_id'],
  ...['name', 'type', 'size', 'sha256', 'state'],
]

function columnsOf({ key, location, keptBy, accountId, personId, name, type }: NewFile): object {
  return { key, location, kept_by: keptBy, account_id: accountId, person_id: personId, name, type }
}

function fileOf(row: Record<string, string | number | null>): FileRow {
  return {
    id: Number(row['id']),
    key: String(row['key']),
    location: String(row['location']),
    keptBy: row['kept_by'] as Keeper,
    accountId: String(row['account_id']),
    personId: row['person_id'] === null ? null : Number(row['person_id']),
    name: String(row['name']),
    type: String(row['type']),
    size: Number(row['size']),
    sha256: String(row['sha256'] ?? ''),
    state: row['state'] as FileState,
  }
}
