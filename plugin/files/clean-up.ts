/** Deletes files that nothing uses any more. The rows show what is left to do, so that a crash loses nothing. */
import type { Catalog, RecordType } from '../schema/catalog.js'
import { pictureColumns } from '../schema/kinds/values/picture-data.js'
import { ATTACHMENT } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import { removeFileChunks } from '../storage/queues/file-chunks.js'
import type { FileDeps } from './deps.js'
import { deleteFile, filesInDatabase, handToHost, markRemoved, markUnusedRemoved, removedFiles } from './rows.js'
import { databaseBytes, fileChunksAt, whole } from './store.js'

/** Milliseconds for which an unused upload is kept (behaviour: Attachments). */
const UNUSED_FOR = 24 * 3600_000

/**
 * Marks as removed: uploads that are unused after a day, and files whose record, attachment or picture no longer exists.
 * Deletes the bytes of all files that are marked. Moves bytes from the database to the host's store, if there is one. If one
 * file fails, the others are still processed.
 *
 * @throws AggregateError if files are left for the next run
 */
export async function cleanUpFiles(deps: FileDeps): Promise<void> {
  const { storage, catalog, clock } = deps
  await markUnusedRemoved(storage, new Date(clock.now().getTime() - UNUSED_FOR))
  await markRemoved(storage, await orphans(storage, catalog))
  const failures = [...(await removeBytes(deps)), ...(await handOver(deps))]
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} files could not be cleaned up and are left for the next run`)
}

/** Ids of used files that no record refers to any more. */
async function orphans(storage: Storage, catalog: Catalog): Promise<readonly number[]> {
  const types = [...catalog.types.values()]
  const attachments = types.filter((type) => type.name === ATTACHMENT).map((type) => lostAttachments(storage, type))
  const pictures = types.flatMap((type) => {
    const columns = pictureColumns(type)
    return columns.length > 0 ? [lostPictures(storage, type, columns)] : []
  })
  const found: number[] = []
  for (const query of [...attachments, ...pictures]) found.push(...(await query).map(({ id }) => Number(id)))
  return found
}

type Ids = PromiseLike<readonly { readonly id: unknown }[]>

function lostAttachments(storage: Storage, type: RecordType): Ids {
  return storage
    .knex({ f: storage.table('files') })
    .leftJoin({ a: storage.table(type.table) }, 'a.key', 'f.key')
    .where('f.state', 'used')
    .whereNull('f.record_type')
    .whereNull('a.id')
    .select('f.id')
}

function lostPictures(storage: Storage, type: RecordType, columns: readonly string[]): Ids {
  return storage
    .knex({ f: storage.table('files') })
    .leftJoin({ r: storage.table(type.table) }, (join) => {
      join.on('r.id', 'f.record_id').andOn((shown) => {
        for (const column of columns) shown.orOn(`r.${column}`, 'f.key')
      })
    })
    .where({ 'f.state': 'used', 'f.record_type': type.name })
    .whereNull('r.id')
    .select('f.id')
}

async function removeBytes({ storage, bytes }: FileDeps): Promise<readonly unknown[]> {
  return eachOf(
    (afterId) => removedFiles(storage, afterId),
    async ({ id, location }) => {
      // Both stores: the bytes may have been moving from one to the other.
      await removeFileChunks(storage, storage.knex, fileChunksAt(location))
      await bytes.remove(location)
      await deleteFile(storage, id)
    },
  )
}

async function handOver({ storage, bytes }: FileDeps): Promise<readonly unknown[]> {
  if (bytes.keptBy === 'database') return []
  const ours = databaseBytes(storage)
  return eachOf(
    (afterId) => filesInDatabase(storage, afterId),
    async (file) => {
      await bytes.write(file.location, whole(ours.read(file.location), file.size), file)
      await handToHost(storage, file.id)
      await ours.remove(file.location)
    },
  )
}

/** Does the work for every file, in batches. Returns the errors. */
async function eachOf<F extends { readonly id: number }>(
  next: (afterId: number) => Promise<readonly F[]>,
  work: (file: F) => Promise<void>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (let files = await next(0); files.length > 0; files = await next(files.at(-1)?.id ?? 0)) {
    for (const file of files) await work(file).catch((error: unknown) => failures.push(error))
  }
  return failures
}
