/** Files in tables: in pieces that fit into memory and into a packet of the database. */
import type { Knex } from 'knex'
import type { Storage } from './connections.js'

/** Where the pieces of one file are: the table, and the column with its value that tells them from those of other files. */
export interface PiecePlace {
  /** Without the prefix. Besides the column it has `position` and `content`. */
  readonly table: string
  readonly file: Readonly<Record<string, string | number>>
}

/** Bytes of every piece but the last. */
export const PIECE_BYTES = 1024 * 1024

/** Stores one piece. */
export async function insertPiece(storage: Storage, db: Knex, place: PiecePlace, position: number, content: Buffer) {
  await db(storage.table(place.table)).insert({ ...place.file, position, content })
}

/** The bytes of the file, piece by piece; none when there is no such file. */
export async function* readPieces(storage: Storage, place: PiecePlace): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const row = await storage
      .knex(storage.table(place.table))
      .where({ ...place.file, position })
      .first('content')
    if (!row) return
    // The embedded database gives bytes as an ArrayBuffer.
    yield row.content instanceof ArrayBuffer ? new Uint8Array(row.content) : row.content
  }
}

/** Deletes the file. */
export async function removePieces(storage: Storage, db: Knex, place: PiecePlace): Promise<void> {
  await db(storage.table(place.table)).where(place.file).delete()
}

/** The bytes in pieces of equal size, whatever the pieces of the source are. */
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
