/** Uploaded files, in pieces that fit into memory and into a packet of the database. */
import type { Knex } from 'knex'
import type { Storage } from '../storage/connections.js'

/** Stores one piece of the file. */
export async function insertPiece(
  storage: Storage,
  db: Knex,
  importId: number,
  position: number,
  content: Buffer,
): Promise<void> {
  await db(storage.table('import_chunks')).insert({ import_id: importId, position, content })
}

/** The bytes of the file, piece by piece. */
export async function* piecesOf(storage: Storage, importId: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const row = await storage.knex(storage.table('import_chunks')).where({ import_id: importId, position }).first('content')
    if (!row) return
    // The embedded database gives bytes as an ArrayBuffer.
    yield row.content instanceof ArrayBuffer ? new Uint8Array(row.content) : row.content
  }
}
