/** Stores for the bytes of files: the database, or the store of the host. */
import { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { HookFailed } from '../core/errors.js'
import type { Storage } from '../storage/database/connections.js'
import {
  type FileChunks,
  inFileChunks,
  insertFileChunk,
  readFileChunks,
  removeFileChunks,
} from '../storage/queues/file-chunks.js'
import type { Keeper } from './rows.js'

/** Facts about a file before its bytes are read. */
export interface FileFacts {
  /** The account of the upload. */
  readonly accountId: string
  /** The name that the uploader chose. */
  readonly name: string
  /** Media type, as the uploader named it; do not trust it. */
  readonly type: string
  /** Size in bytes; null if it is known only at the end of the stream. */
  readonly size: number | null
}

/**
 * A store of the host for the bytes of attachments and pictures, for example a bucket. The list of files, their owners and
 * names stay in the database. Keys are unguessable and safe in paths: lower-case letters, digits, hyphens and slashes, at most
 * 128 characters. After a crash, each function may be called again for a key.
 *
 * ```ts
 * import { createReadStream, createWriteStream } from 'node:fs'
 * import { rm } from 'node:fs/promises'
 * import { pipeline } from 'node:stream/promises'
 * import type { FileStore } from 'koa-itsm'
 *
 * const fileOf = (key: string) => `/var/desk/${key.replaceAll('/', '_')}`
 * export const store: FileStore = {
 *   write: (key, content) => pipeline(content, createWriteStream(fileOf(key))),
 *   read: async (key) => createReadStream(fileOf(key)),
 *   remove: (key) => rm(fileOf(key), { force: true }),
 * }
 * ```
 */
export interface FileStore {
  /**
   * Stores the bytes and replaces existing ones. Must read the stream to its end, and must reject if the stream fails. The
   * plugin removes what a failed attempt leaves behind.
   */
  write(key: string, content: Readable, facts: FileFacts): Promise<void>
  /** Returns the bytes of a stored file. */
  read(key: string): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
  /** Deletes the bytes. It is not an error if there are none. */
  remove(key: string): Promise<void>
  /** Rejects if the store cannot be used now. Optional: `itsm.health()` asks it. */
  check?(): Promise<unknown>
}

/** One of the two stores. */
export interface FileBytes {
  readonly keptBy: Keeper
  write(location: string, content: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<void>
  read(location: string): AsyncIterable<Uint8Array>
  remove(location: string): Promise<void>
}

/** Place of the chunks of a file in the table file_chunks. */
export function fileChunksAt(location: string): FileChunks {
  return { table: 'file_chunks', file: { location } }
}

/**
 * Store in the database. Each chunk is a statement of its own, so that no transaction waits for a slow client.
 *
 * @param db the transaction of a host that wants the bytes in it
 */
export function databaseBytes(storage: Storage, db: Knex = storage.knex): FileBytes {
  return {
    keptBy: 'database',
    async write(location, content) {
      let position = 0
      for await (const chunk of inFileChunks(content)) {
        await insertFileChunk(storage, db, fileChunksAt(location), position++, chunk)
      }
    },
    read: (location) => readFileChunks(storage, fileChunksAt(location)),
    remove: (location) => removeFileChunks(storage, db, fileChunksAt(location)),
  }
}

/** Adapter to the store of the host. */
export function hostBytes(store: FileStore): FileBytes {
  return {
    keptBy: 'host',
    async write(location, content, { accountId, name, type, size }) {
      const stream = Readable.from(content)
      // Needed if the host does not listen for errors: the process would crash, or the promise would never settle.
      const failed = new Promise<never>((_, reject) => stream.once('error', reject))
      try {
        await Promise.race([store.write(location, stream, { accountId, name, type, size }), failed])
        if (!stream.readableEnded) throw new Error('the stream was not read to its end')
      } catch (error) {
        throw new HookFailed('files.store.write', error)
      } finally {
        stream.destroy()
      }
    },
    async *read(location) {
      try {
        yield* await store.read(location)
      } catch (error) {
        throw new HookFailed('files.store.read', error)
      }
    },
    async remove(location) {
      try {
        await store.remove(location)
      } catch (error) {
        throw new HookFailed('files.store.remove', error)
      }
    },
  }
}

/** Passes the bytes on. @throws an Error at the end if their number is not `size` */
export async function* whole(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const bytes of content) {
    count += bytes.length
    yield bytes
  }
  if (count !== size) throw new Error(`A file of ${size} bytes has ${count}`)
}
