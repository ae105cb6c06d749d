/** Removes files that nothing needs any more. Their rows say what is due, so that it can be done again after a crash. */

import { ATTACHMENT } from '../schema/built-in-types.js'
import type { Catalog, RecordType } from '../schema/compile/compile.js'
import type { Storage } from '../storage/connections.js'
import { removePieces } from '../storage/pieces.js'
import type { FileDeps } from './deps.js'
import { deleteFile, filesInDatabase, givenUpFiles, giveUp, giveUpUnused, handToHost } from './rows.js'
import { databaseBytes, piecesAt, whole } from './store.js'

/** Milliseconds for which an upload waits to be used (gaps 6.15). */
const UNUSED_FOR = 24 * 3600_000

/**
 * Gives up uploads of which nothing came for a day, and files whose record, attachment or picture is gone; removes the bytes
 * of all that were given up; and hands bytes that are in the database to the host, where the host has a store. What one file
 * fails with keeps no other from its turn.
 *
 * @throws AggregateError when files were left for the next time
 */
export async function collectGarbage(deps: FileDeps): Promise<void> {
  const { storage, catalog, clock } = deps
  await giveUpUnused(storage, new Date(clock.now().getTime() - UNUSED_FOR))
  await giveUp(storage, await orphans(storage, catalog))
  const failures = [...(await removeBytes(deps)), ...(await handOver(deps))]
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files are left for the next time`)
}

/** Ids of used files that no record shows any more. */
async function orphans(storage: Storage, catalog: Catalog): Promise<readonly number[]> {
  const types = [...catalog.types.values()]
  const attachments = types.filter((type) => type.name === ATTACHMENT).map((type) => lostAttachments(storage, type))
  const pictures = types.flatMap((type) => {
    const columns = picturesOf(type)
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

function picturesOf(type: RecordType): readonly string[] {
  return [...type.columns].filter(([, field]) => field.format === 'picture').map(([column]) => column)
}

async function removeBytes({ storage, bytes }: FileDeps): Promise<readonly unknown[]> {
  return eachOf(
    (afterId) => givenUpFiles(storage, afterId),
    async ({ id, location }) => {
      // Both places: the bytes may have been on their way from one to the other.
      await removePieces(storage, storage.knex, piecesAt(location))
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

/** Does the work for every file, a batch at a time. Returns what went wrong. */
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
