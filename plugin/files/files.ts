import type { Access } from '../access/access.js'
import type { Call } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import { ATTACHMENT } from '../schema/built-in-types.js'
import { createFileAddresses, type FileAddresses, type FormSignature } from './addresses.js'
import { collectGarbage } from './collect-garbage.js'
import type { FileDeps } from './deps.js'
import { folderOf, newFolder, readFolder, readKey } from './keys.js'
import { type FileRow, findFiles } from './rows.js'
import { databaseBytes, type FileStore, hostBytes, whole } from './store.js'
import { keyOf, type Upload, type Uploaded, type Uploader, upload } from './uploads.js'

/** A file as it is handed out. */
export interface Download extends Pick<FileRow, 'name' | 'type' | 'size' | 'sha256'> {
  /** The bytes, read as they are taken. */
  content(): AsyncIterable<Uint8Array>
}

/** Dependencies of files. */
export interface FilesDeps extends Omit<FileDeps, 'addresses' | 'bytes'> {
  readonly access: { readonly people: Pick<Access['people'], 'find'>; readonly callers: Pick<Access['callers'], 'callFor'> }
  readonly baseUrl: string
  /** Signs the URLs of files. */
  readonly secret: string
  /** The host's store; without it the bytes are kept in the database. */
  readonly store: FileStore | undefined
  /** How long the URL of an attachment works at least. */
  readonly urlLifetimeSeconds: number
}

/** Files on their way in and out. Which records use them is the business of the write pipeline. */
export interface Files {
  readonly addresses: FileAddresses
  /** Bytes of the largest file. */
  readonly sizeLimit: number
  /** Endings of file names in lower case; empty when all are allowed. */
  readonly allowedExtensions: readonly string[]
  /** A key for one or more files of the caller, and the permission to upload them without further credentials. */
  form(call: Call): FormSignature & { readonly key: string }
  /** Whose form it is that a key and its signature come from. @throws Forbidden when it is none of ours, or too old */
  uploaderOf(key: string, form: FormSignature): Uploader
  /** Checks that an uploader may still act in the account: a form works for an hour. @throws Forbidden */
  admit(uploader: Uploader): Promise<void>
  /** Checks the key and the name before the bytes are there; `upload` checks them again. @throws Invalid on `key` or `file` */
  check(uploader: Uploader, file: Pick<Upload, 'key' | 'name'>): void
  /** Takes a file in that no record uses yet. @throws Invalid on `key` or `file` */
  upload(uploader: Uploader, file: Upload): Promise<Uploaded>
  /** The file of an attachment. @throws Forbidden when the address is not ours or too old, NotFound */
  attachment(key: string, query: { readonly expires: string; readonly signature: string }): Promise<Download>
  /** A picture. @throws NotFound */
  picture(key: string): Promise<Download>
  /** Removes what nothing needs any more; see `collectGarbage`. */
  collectGarbage(): Promise<void>
}

/** Puts files together. The bytes of some may still be in the database when the host got a store later. */
export function createFiles(given: FilesDeps): Files {
  const { storage, catalog, clock, sizeLimit, allowedExtensions, store } = given
  const { people, callers } = given.access
  const addresses = createFileAddresses(given.baseUrl, given.secret, given.urlLifetimeSeconds)
  const deps: FileDeps = { ...given, addresses, bytes: store ? hostBytes(store) : databaseBytes(storage) }
  const keepers = [deps.bytes, databaseBytes(storage)]

  const open = (file: FileRow): Download => ({
    ...file,
    content() {
      const keeper = keepers.find(({ keptBy }) => keptBy === file.keptBy)
      if (!keeper) throw new Error(`The bytes of ${file.key} are in a store that the host has taken away`)
      return whole(keeper.read(file.location), file.size)
    },
  })
  const usedFile = async (key: string): Promise<FileRow> => {
    const file = (await findFiles(storage, storage.knex, [key])).get(key)
    if (file?.state !== 'used') throw new NotFound()
    return file
  }
  const isAttached = async (key: string): Promise<boolean> => {
    const type = catalog.types.get(ATTACHMENT)
    return type !== undefined && (await storage.knex(storage.table(type.table)).where({ key }).first('id')) !== undefined
  }

  return {
    addresses,
    sizeLimit,
    allowedExtensions,
    form(call) {
      const folder = { kind: 'attachments', accountId: call.account.id, personId: call.actor?.id ?? null } as const
      return addresses.form(newFolder(folder), clock.now())
    },
    uploaderOf(key, form) {
      const folder = folderOf(key)
      const read = readFolder(folder)
      if (!read || !addresses.isForm(folder, form, clock.now())) throw new Forbidden()
      return read
    },
    async admit({ accountId, personId }) {
      const actor = personId === null ? null : await people.find({ id: personId })
      if (!actor) throw new Forbidden()
      await callers.callFor({ actor }, { accountId, source: 'upload' })
    },
    check: (uploader, file) => void keyOf(deps, uploader, file),
    upload: (uploader, file) => upload(deps, uploader, file),
    async attachment(key, query) {
      if (!addresses.isDownload(key, query, clock.now())) throw new Forbidden()
      // A record that lost the attachment still has its file until garbage is collected.
      if (!(await isAttached(key))) throw new NotFound()
      return open(await usedFile(key))
    },
    async picture(key) {
      if (readKey(key)?.kind !== 'pictures') throw new NotFound()
      return open(await usedFile(key))
    },
    collectGarbage: () => collectGarbage(deps),
  }
}
