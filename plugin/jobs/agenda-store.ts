/** Opens the job store: memory, a MongoDB of the plugin or of the host, or a backend of the host. */
import type { AgendaBackend, JobRepository } from 'agenda'
import type { Db } from 'mongodb'
import { inTime } from '../core/waiting/in-time.js'
import { createMemoryBackend } from './memory-backend.js'

/**
 * The job store. `'memory'`: in this process. `{ url }`: the plugin's own MongoDB connection; the URL names the database.
 * `{ db }`: an open database of the host. An `AgendaBackend`: any other store; the plugin connects it, the host disconnects it.
 */
export type JobBackend = 'memory' | { readonly url: string } | { readonly db: LentDb } | AgendaBackend

/** The `Db` of the MongoDB driver, as far as the plugin uses it: `databaseName`, `command` and `collection`. */
export interface LentDb {
  readonly databaseName: string
  command(command: { readonly [name: string]: unknown }): Promise<unknown>
  collection(name: string): {
    findOne(filter: { readonly _id: unknown }): Promise<unknown>
    createIndex(keys: { readonly [field: string]: 1 | -1 }, options: { readonly name: string }): Promise<string>
  }
}

/** An open store. `close` closes what `openStore` opened, but not what was lent; it never throws. */
export interface JobStore {
  readonly repository: JobRepository
  close(): Promise<void>
}

/** Maximum milliseconds until a server is found or responds. */
export const STORE_TIMEOUT = 3000

/**
 * Connects, checks that the store responds and creates the indexes of our collection. Throws an Error that names the store
 * (never its password) if it does not respond within three seconds; nothing stays open then. Agenda gets a store only after
 * this: its own constructor connects without a catch, so a store that is down would end the process.
 */
export async function openStore(backend: JobBackend, collection: string): Promise<JobStore> {
  if (backend === 'memory') return { repository: createMemoryBackend().repository, close: async () => {} }
  if ('url' in backend) return openUrl(backend.url, collection)
  if ('db' in backend) return openLent(backend.db, collection)
  await backend.connect().catch((cause: unknown) => {
    throw unreachable(`the job store ${backend.name}`, cause)
  })
  return { repository: backend.repository, close: async () => {} }
}

async function openUrl(url: string, collection: string): Promise<JobStore> {
  // Loaded only here: an embedded plugin would spend most of its startup time on a driver that it does not use.
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(url, { serverSelectionTimeoutMS: STORE_TIMEOUT })
  const close = () => client.close().catch(() => {})
  try {
    await client.connect()
    return { repository: await openCollection(client.db(), collection), close }
  } catch (cause) {
    await close()
    throw unreachable(`the job store (MongoDB at ${client.options.hosts.join(', ')})`, cause)
  }
}

async function openLent(db: LentDb, collection: string): Promise<JobStore> {
  try {
    await checkDriver(db, collection)
    return { repository: await openCollection(db, collection), close: async () => {} }
  } catch (cause) {
    throw unreachable(`the job store (the lent MongoDB database ${db.databaseName})`, cause)
  }
}

/**
 * Searches for a record by an id of our copy of the driver. Drivers refuse ids of another major version, so every job would
 * fail after the start.
 */
async function checkDriver(db: LentDb, collection: string): Promise<void> {
  const { ObjectId } = await import('mongodb')
  try {
    await inTime(STORE_TIMEOUT, db.collection(collection).findOne({ _id: new ObjectId() }))
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'BSONVersionError') throw cause
    throw new Error(
      'it comes from another major version of the package mongodb than ours; host and plugin must share one copy',
      {
        cause,
      },
    )
  }
}

async function openCollection(db: LentDb, collection: string): Promise<JobRepository> {
  await inTime(STORE_TIMEOUT, db.command({ ping: 1 }))
  // The repository alone: the complete backend would also create indexes on a log collection that is not needed.
  const { MongoJobRepository } = await import('@agendajs/mongo-backend')
  const repository = new MongoJobRepository({ mongo: db as Db, db: { collection } })
  await repository.connect()
  // The first finds abandoned locks, for which Agenda's own index has the wrong order; the second makes a wake unique.
  await db.collection(collection).createIndex({ name: 1, lockedAt: 1, nextRunAt: 1 }, { name: 'itsm_locks' })
  await db.collection(collection).createIndex({ name: 1, 'data.key': 1 }, { name: 'itsm_keys' })
  return repository
}

function unreachable(store: string, cause: unknown): Error {
  return new Error(`koa-itsm cannot use ${store}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
