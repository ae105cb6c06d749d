/** Stores uploads: checks them, stores the bytes, and leaves nothing behind on failure. */
import { createHash } from 'node:crypto'
import { Invalid, type Violation } from '../core/errors.js'
import { tooBig } from '../core/file-sizes.js'
import { isDuplicate } from '../storage/database/faults.js'
import { dbOf, type Inside, isInHosts } from '../storage/database/transaction.js'
import type { FileDeps } from './deps.js'
import { extensionOf, lastStep, NAME_PLACE, newFolder, newLocation, readKey } from './keys.js'
import { finishFile, insertFile, markRemoved } from './rows.js'
import { databaseBytes } from './store.js'

/** Owner of the file. */
export interface Uploader {
  readonly accountId: string
  /** Null for the system. */
  readonly personId: number | null
}

export interface Upload {
  /** Key of a form, with or without the file name; null for a new key. */
  readonly key: string | null
  /** Name that the client sent; text up to the last slash is ignored. */
  readonly name: string
  /** Media type that the client sent. */
  readonly type: string
  /** Size in bytes; null if it is not known yet. */
  readonly size: number | null
  readonly content: AsyncIterable<Uint8Array>
}

/** A stored file: the `key` by which it can be attached, and its `size` in bytes. */
export interface Uploaded {
  readonly key: string
  readonly size: number
}

const UNKNOWN_TYPE = 'application/octet-stream'
const MAX_TYPE_LENGTH = 127

/**
 * Stores a file that no record uses yet.
 *
 * @param inside a transaction of the host: the bytes are then in the database, and the cleanup moves them to another store
 * @throws Invalid on `key` or `file`
 */
export async function upload(deps: FileDeps, uploader: Uploader, upload: Upload, inside: Inside = {}): Promise<Uploaded> {
  const { storage, clock, log, sizeLimit } = deps
  const db = dbOf(storage, inside)
  const bytes = isInHosts(inside) ? databaseBytes(storage, db) : deps.bytes
  const { key, name } = keyOf(deps, uploader, upload)
  if (upload.size !== null && upload.size > sizeLimit) throw new Invalid([tooBig('file', sizeLimit)])
  const file = {
    key,
    name,
    accountId: uploader.accountId,
    personId: uploader.personId,
    type: mediaTypeOf(upload.type),
    location: newLocation('attachments', uploader.accountId),
    keptBy: bytes.keptBy,
  }
  const id = await insertFile(storage, db, file, clock.now()).catch((error: unknown) => {
    throw isDuplicate(error) ? new Invalid([['key', 'taken']]) : error
  })
  const measured = measure(upload.content, sizeLimit)
  try {
    await bytes.write(file.location, measured.content, { ...file, size: upload.size })
    const facts = measured.facts()
    if (!(await finishFile(storage, db, id, facts))) throw new Invalid([['key', 'taken']])
    return { key, size: facts.size }
  } catch (error) {
    await discard().catch((err: unknown) =>
      log.warn({ err }, 'A failed upload could not be removed; the next cleanup removes it'),
    )
    throw measured.refusal() ?? error
  }

  async function discard(): Promise<void> {
    await markRemoved(storage, [id], db)
    await bytes.remove(file.location)
  }
}

/** Returns the complete key of the file, and the name in it. @throws Invalid on `key` or `file` */
export function keyOf(
  { allowedExtensions }: FileDeps,
  uploader: Uploader,
  upload: Pick<Upload, 'key' | 'name'>,
): { key: string; name: string } {
  const given = upload.key ?? `${newFolder({ kind: 'attachments', ...uploader })}/${NAME_PLACE}`
  const key = given.replace(NAME_PLACE, () => lastStep(upload.name))
  const read = readKey(key)
  const isOurs = read?.kind === 'attachments' && read.accountId === uploader.accountId && read.personId === uploader.personId
  if (!read || !isOurs) throw new Invalid([[upload.key === null ? 'file' : 'key', 'invalid']])
  const violation = extensionViolation('file', read.name, allowedExtensions)
  if (violation) throw new Invalid([violation])
  return { key, name: read.name }
}

/** Violation of a file name whose extension is not allowed; otherwise null. An empty list allows all. */
export function extensionViolation(field: string, name: string, allowed: readonly string[]): Violation | null {
  return allowed.length === 0 || allowed.includes(extensionOf(name)) ? null : [field, 'file_type']
}

/** Media type without parameters, which have no use here. */
function mediaTypeOf(given: string): string {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase()
  return type.length <= MAX_TYPE_LENGTH && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : UNKNOWN_TYPE
}

/** Passes the bytes on, counts and hashes them, and stops at the limit. */
function measure(content: AsyncIterable<Uint8Array>, limit: number) {
  const digest = createHash('sha256')
  let size = 0
  let refusal: Invalid | null = null
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      size += bytes.length
      if (size > limit) {
        refusal = new Invalid([tooBig('file', limit)])
        throw refusal
      }
      digest.update(bytes)
      yield bytes
    }
  }
  return {
    content: pass(),
    facts: () => ({ size, sha256: digest.digest('hex') }),
    /** The violation that stopped the upload: a host's store may wrap or hide the error. */
    refusal: (): Invalid | null => refusal,
  }
}
