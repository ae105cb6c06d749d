/** Where the bytes of files are: in the database, or wherever the host keeps them. */
import { Readable } from 'node:stream'
import { HookFailed } from '../core/errors.js'
import type { Storage } from '../storage/connections.js'
import { inPieces, insertPiece, type PiecePlace, readPieces, removePieces } from '../storage/pieces.js'
import type { Keeper } from './rows.js'

/** What is known of a file before its bytes are read. */
export interface FileFacts {
  readonly accountId: string
  /** As the person called it. */
  readonly name: string
  /** Media type, as the person said; not to be trusted. */
  readonly type: string
  /** Bytes; null when that shows only at the end of the stream. */
  readonly size: number | null
}

/**
 * A store of the host for the bytes of attachments and pictures, for example a bucket. Which files there are, whose they are
 * and what they are called stays in the database. Keys are unguessable and safe in paths: lower-case letters, digits,
 * hyphens and slashes, at most 128 characters. Each function may be called again for a key, after a crash.
 */
export interface FileStore {
  /**
   * Keeps the bytes, in the place of any that are there. The stream has to be read to its end; when it fails, so must the
   * promise. What a failed attempt leaves behind is removed later.
   */
  write(key: string, content: Readable, facts: FileFacts): Promise<void>
  /** The bytes of a file that was written. */
  read(key: string): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
  /** Forgets the bytes; that there are none is no error. */
  remove(key: string): Promise<void>
}

/** One of the two places. */
export interface FileBytes {
  readonly keptBy: Keeper
  write(location: string, content: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<void>
  read(location: string): AsyncIterable<Uint8Array>
  remove(location: string): Promise<void>
}

/** The pieces of a file in the table file_chunks. */
export function piecesAt(location: string): PiecePlace {
  return { table: 'file_chunks', file: { location } }
}

/** Bytes in the database, each piece stored by itself: no transaction waits for a slow sender. */
export function databaseBytes(storage: Storage): FileBytes {
  return {
    keptBy: 'database',
    async write(location, content) {
      let position = 0
      for await (const piece of inPieces(content)) {
        await insertPiece(storage, storage.knex, piecesAt(location), position++, piece)
      }
    },
    read: (location) => readPieces(storage, piecesAt(location)),
    remove: (location) => removePieces(storage, storage.knex, piecesAt(location)),
  }
}

/** Bytes in the host's store. */
export function hostBytes(store: FileStore): FileBytes {
  return {
    keptBy: 'host',
    async write(location, content, { accountId, name, type, size }) {
      const stream = Readable.from(content)
      // Also for a host that does not listen: else the error would end the process, or the promise would never settle.
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

/** The same bytes; fails at the end when there are more or fewer than there should be. */
export async function* whole(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const bytes of content) {
    count += bytes.length
    yield bytes
  }
  if (count !== size) throw new Error(`A file of ${size} bytes has ${count}`)
}
