/** Opens the store that jobs wait in: memory, a MongoDB of ours or the host's, or a backend of the host's. */
import type { AgendaBackend, JobRepository } from 'agenda'
import type { Db } from 'mongodb'
import { inTime } from '../core/in-time.js'
import { createMemoryBackend } from './memory-backend.js'

/**
 * Where jobs wait. `'memory'`: in this process. `{ url }`: a MongoDB connection of ours; the URL names the database. `{ db }`:
 * the host's open database. An `AgendaBackend`: whatever the host has; we connect it, the host disconnects it.
 */
export type JobBackend = 'memory' | { readonly url: string } | { readonly db: LentDb } | AgendaBackend

/**
 * A MongoDB database of the host, by what it must have and not by its class: so that a host with another version of the driver
 * can lend it without a cast.
 */
export interface LentDb {
  readonly databaseName: string
  command(command: { readonly [name: string]: unknown }): Promise<unknown>
  collection(name: string): {
    findOne(filter: { readonly _id: unknown }): Promise<unknown>
    createIndex(keys: { readonly [field: string]: 1 | -1 }, options: { readonly name: string }): Promise<string>
  }
}

/** An open store. `close` ends what `openStore` opened and leaves alone what was lent; it never throws. */
export interface JobStore {
  readonly repository: JobRepository
  close(): Promise<void>
}

/** How long a server may take to be found or to answer, in milliseconds. */
export const STORE_TIMEOUT = 3000

/**
 * Connects, asks the store whether it is there and makes the indexes of our collection.
 * Throws an Error that names the store (never its password) when it does not answer within three seconds; nothing stays open
 * then. Agenda gets a store only after this: its own constructor connects without a catch, so that a store that is away would
 * end the process.
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
  // Loaded here, because most of the start-up time of an embedded plugin would be spent on a driver that it does not use.
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
 * Looks for a record by an id of our copy of the driver. Drivers refuse ids of another major version, and each job would fail
 * with that after the start.
 */
async function checkDriver(db: LentDb, collection: string): Promise<void> {
  const { ObjectId } = await import('mongodb')
  try {
    await inTime(STORE_TIMEOUT, db.collection(collection).findOne({ _id: new ObjectId() }))
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'BSONVersionError') throw cause
    throw new Error('it belongs to another major version of the package mongodb than ours; the host must share its copy', {
      cause,
    })
  }
}

async function openCollection(db: LentDb, collection: string): Promise<JobRepository> {
  await inTime(STORE_TIMEOUT, db.command({ ping: 1 }))
  // The repository alone: the complete backend also makes indexes on a log collection that nobody asked for.
  const { MongoJobRepository } = await import('@agendajs/mongo-backend')
  const repository = new MongoJobRepository({ mongo: db as Db, db: { collection } })
  await repository.connect()
  // The first finds abandoned locks, for which Agenda's own index is in the wrong order; the second makes a wake unique.
  await db.collection(collection).createIndex({ name: 1, lockedAt: 1, nextRunAt: 1 }, { name: 'itsm_locks' })
  await db.collection(collection).createIndex({ name: 1, 'data.key': 1 }, { name: 'itsm_keys' })
  return repository
}

function unreachable(store: string, cause: unknown): Error {
  return new Error(`koa-itsm cannot use ${store}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
