/** Files in tables: in chunks that fit into memory and into a packet of the database. */
import type { Knex } from 'knex'
import type { Storage } from './connections.js'

/** The chunks of one file: their table, and the column whose value distinguishes them from those of other files. */
export interface PiecePlace {
  /** Without the prefix. In addition to the column it has `position` and `content`. */
  readonly table: string
  readonly file: Readonly<Record<string, string | number>>
}

/** Bytes of each chunk but the last. */
export const PIECE_BYTES = 1024 * 1024

/** Stores one chunk. */
export async function insertPiece(storage: Storage, db: Knex, place: PiecePlace, position: number, content: Buffer) {
  await db(storage.table(place.table)).insert({ ...place.file, position, content })
}

/** The bytes of the file, chunk by chunk; none if the file does not exist. */
export async function* readPieces(storage: Storage, place: PiecePlace): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const row = await storage
      .knex(storage.table(place.table))
      .where({ ...place.file, position })
      .first('content')
    if (!row) return
    // The embedded database returns bytes as an ArrayBuffer.
    yield row.content instanceof ArrayBuffer ? new Uint8Array(row.content) : row.content
  }
}

/** Deletes the file. */
export async function removePieces(storage: Storage, db: Knex, place: PiecePlace): Promise<void> {
  await db(storage.table(place.table)).where(place.file).delete()
}

/** The bytes in chunks of equal size, whatever the chunks of the source are. */
export async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const bytes of source) {
    waiting.push(bytes)
    size += bytes.length
    if (size < PIECE_BYTES) continue
    const all = Buffer.concat(waiting)
    const whole = all.length - (all.length % PIECE_BYTES)
    for (let from = 0; from < whole; from += PIECE_BYTES) yield all.subarray(from, from + PIECE_BYTES)
    waiting = [all.subarray(whole)]
    size = all.length - whole
  }
  if (size > 0) yield Buffer.concat(waiting)
}
