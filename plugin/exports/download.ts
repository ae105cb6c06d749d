/** The files of exports: one CSV file, or a ZIP archive with several. */
import { Readable } from 'node:stream'
import { isSignedQuery, type SignedQuery, signedQuery } from '../access/tokens/signatures.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import { readFileChunks } from '../storage/queues/file-chunks.js'
import { chunksOfExport, type ExportRow } from './export-rows.js'
import { MANIFEST, manifestOf } from './manifest.js'

/** Seconds for which the URL of a file works. */
export const FILE_LASTS = 172_800
const USE = 'export file'

/** Path of the file below /exports: `20261121/acme/17.people.csv`, `20261121/acme/18.zip`. */
export function fileNameOf({ accountId, createdAt, id, types }: ExportRow): string {
  const day = timestampOf(createdAt).slice(0, 10).replaceAll('-', '')
  return `${day}/${accountId}/${id}.${types.length === 1 ? `${types[0]}.csv` : 'zip'}`
}

/** Returns the URL of the file, which works without credentials until a time. */
export function signedFileAddress(baseUrl: string, secret: string, row: ExportRow, until: Date): string {
  const name = fileNameOf(row)
  return `${baseUrl}/exports/${name}?${signedQuery(secret, USE, name, Math.floor(until.getTime() / 1000))}`
}

/** True if the signature of a URL is valid and has not expired. */
export function isSignedFile(secret: string, name: string, query: SignedQuery, now: Date): boolean {
  return isSignedQuery(secret, USE, name, query, now)
}

/** The bytes of the file of an export that is done. Archives are made while they are sent, so that nothing is stored twice. */
export async function openFile(storage: Storage, row: ExportRow): Promise<Readable> {
  const { createdAt, id, types } = row
  const open = (typeNumber: number) => Readable.from(readFileChunks(storage, chunksOfExport(id, typeNumber)))
  if (types.length === 1) return open(0)
  const { ZipFile } = await import('yazl')
  const archive = new ZipFile()
  const output = new Readable().wrap(archive.outputStream)
  archive.on('error', (error: Error) => output.destroy(error))
  archive.addBuffer(Buffer.from(manifestOf(row)), MANIFEST, { mtime: createdAt })
  for (const [typeNumber, type] of types.entries())
    archive.addReadStreamLazy(`${type}.csv`, { mtime: createdAt }, (give) => give(null, open(typeNumber)))
  archive.end()
  return output
}
