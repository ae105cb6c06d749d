/**
 * The rows that say which files there are. A file is `uploading` until its bytes are there, `uploaded` until a record uses it,
 * `used` as long as one does, and `removed` until its bytes are gone. Moments are texts in UTC.
 */
import type { Knex } from 'knex'
import type { Storage } from '../storage/connections.js'
import { timestampOf } from '../storage/timestamps.js'
import { chunksOf } from '../storage/write.js'

export type FileState = 'uploading' | 'uploaded' | 'used' | 'removed'
/** Where the bytes are: with us, or with the host. */
export type Keeper = 'database' | 'host'

export interface FileRow {
  readonly id: number
  readonly key: string
  readonly location: string
  readonly keptBy: Keeper
  readonly accountId: string
  /** Who uploaded it; null for the service itself. */
  readonly personId: number | null
  readonly name: string
  /** Media type, as the person said. */
  readonly type: string
  readonly size: number
  /** Digest of the bytes in hexadecimal digits; empty while they are not there. */
  readonly sha256: string
  readonly state: FileState
}

/** A file of which the bytes are yet to come. */
export type NewFile = Omit<FileRow, 'id' | 'size' | 'sha256' | 'state'>

/** A picture that a record shows, with the bytes already in the table of pieces. */
export interface NewPicture extends Omit<FileRow, 'id' | 'keptBy' | 'state'> {
  readonly recordType: string
  readonly recordId: number
}

/** Files that are looked through at a time. */
const BATCH = 500
const UNUSED: readonly FileState[] = ['uploading', 'uploaded']
/** Without a key nobody finds the file any more, and another may have the key. */
const GIVEN_UP = { state: 'removed', key: null }

/**
 * Adds a file in the state `uploading`. One with the same key that nothing uses yet gives way to it: clients repeat uploads
 * whose answer they have not seen.
 *
 * @throws what `isDuplicate` knows when a record uses a file with this key
 */
export async function insertFile(storage: Storage, file: NewFile, now: Date): Promise<number> {
  const files = () => storage.knex(storage.table('files'))
  await files().where({ key: file.key }).whereIn('state', UNUSED).update(GIVEN_UP)
  const [id] = await files().insert({ ...columnsOf(file), state: 'uploading', created_at: timestampOf(now) })
  return Number(id)
}

/** The bytes are there. False when the file was given up meanwhile. */
export async function finishFile(
  storage: Storage,
  id: number,
  facts: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  const found = await storage
    .knex(storage.table('files'))
    .where({ id, state: 'uploading' })
    .update({ ...facts, state: 'uploaded' })
  return Number(found) > 0
}

/** Adds a picture that is used from the beginning, in the transaction of the record. */
export async function insertPicture(storage: Storage, db: Knex, picture: NewPicture, now: Date): Promise<void> {
  const { size, sha256, recordType, recordId } = picture
  await db(storage.table('files')).insert({
    ...columnsOf({ ...picture, keptBy: 'database' }),
    ...{ size, sha256, record_type: recordType, record_id: recordId },
    state: 'used',
    created_at: timestampOf(now),
  })
}

/** Files by key; keys that nobody knows are left out. */
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

/** Marks uploaded files as used. False when one of them is used or given up already. */
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

/** Gives up files that nothing uses and that are older. */
export async function giveUpUnused(storage: Storage, olderThan: Date): Promise<void> {
  await storage
    .knex(storage.table('files'))
    .whereIn('state', UNUSED)
    .where('created_at', '<', timestampOf(olderThan))
    .update(GIVEN_UP)
}

/** Gives up files, whatever uses them. */
export async function giveUp(storage: Storage, ids: readonly number[]): Promise<void> {
  for (const some of chunksOf(ids)) {
    await storage
      .knex(storage.table('files'))
      .whereIn('id', [...some])
      .update(GIVEN_UP)
  }
}

/** Files that were given up, lowest id first, some at a time. */
export async function givenUpFiles(storage: Storage, afterId: number): Promise<readonly Pick<FileRow, 'id' | 'location'>[]> {
  const rows: Record<'id' | 'location', unknown>[] = await storage
    .knex(storage.table('files'))
    .where({ state: 'removed' })
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(BATCH)
    .select('id', 'location')
  return rows.map(({ id, location }) => ({ id: Number(id), location: String(location) }))
}

/** Forgets a file whose bytes are gone. */
export async function deleteFile(storage: Storage, id: number): Promise<void> {
  await storage.knex(storage.table('files')).where({ id, state: 'removed' }).delete()
}

/** Files whose bytes are in the database, lowest id first, some at a time. */
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

/** Says that the host has the bytes now. */
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
