/** Files in tables: in chunks that fit into memory and into a packet of the database. */
import type { Knex } from 'knex'
import type { Storage } from '../database/connections.js'

/** The chunks of one file: their table, and the column whose value distinguishes them from those of other files. */
export interface FileChunks {
  /** Without the prefix. In addition to the column it has `position` and `content`. */
  readonly table: string
  readonly file: Readonly<Record<string, string | number>>
}

/** Bytes of each chunk but the last. */
export const FILE_CHUNK_BYTES = 1024 * 1024

/** Stores one chunk. */
export async function insertFileChunk(storage: Storage, db: Knex, chunks: FileChunks, position: number, content: Buffer) {
  await db(storage.table(chunks.table)).insert({ ...chunks.file, position, content })
}

/** The bytes of the file, chunk by chunk; none if the file does not exist. */
export async function* readFileChunks(storage: Storage, chunks: FileChunks, db = storage.knex): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const row = await db(storage.table(chunks.table))
      .where({ ...chunks.file, position })
      .first('content')
    if (!row) return
    // The embedded database returns bytes as an ArrayBuffer.
    yield row.content instanceof ArrayBuffer ? new Uint8Array(row.content) : row.content
  }
}

/** Deletes the file. */
export async function removeFileChunks(storage: Storage, db: Knex, chunks: FileChunks): Promise<void> {
  await db(storage.table(chunks.table)).where(chunks.file).delete()
}

/** The bytes in chunks of equal size, whatever the chunks of the source are. */
export async function* inFileChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const bytes of source) {
    waiting.push(bytes)
    size += bytes.length
    if (size < FILE_CHUNK_BYTES) continue
    const all = Buffer.concat(waiting)
    const whole = all.length - (all.length % FILE_CHUNK_BYTES)
    for (let from = 0; from < whole; from += FILE_CHUNK_BYTES) yield all.subarray(from, from + FILE_CHUNK_BYTES)
    waiting = [all.subarray(whole)]
    size = all.length - whole
  }
  if (size > 0) yield Buffer.concat(waiting)
}
