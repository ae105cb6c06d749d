import type { Access } from '../access/access.js'
import type { Call } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import { ATTACHMENT } from '../schema/language/built-in-types.js'
import type { Inside } from '../storage/database/transaction.js'
import { createFileAddresses, type FileAddresses, type FormSignature } from './addresses.js'
import { cleanUpFiles } from './clean-up.js'
import type { FileDeps } from './deps.js'
import { folderOf, newFolder, readFolder, readKey } from './keys.js'
import { type FileRow, findFiles } from './rows.js'
import { databaseBytes, type FileStore, hostBytes, whole } from './store.js'
import { keyOf, type Upload, type Uploaded, type Uploader, upload } from './uploads.js'

/** A file for download. */
export interface Download extends Pick<FileRow, 'name' | 'type' | 'size' | 'sha256'> {
  /** The bytes, read on demand. */
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
  /** Minimum time for which the URL of an attachment works. */
  readonly urlLifetimeMs: number
}

/** Uploads and downloads. The write pipeline decides which records use a file. */
export interface Files {
  readonly addresses: FileAddresses
  /** Maximum size of a file in bytes. */
  readonly sizeLimit: number
  /** Allowed file name extensions in lower case; empty if all are allowed. */
  readonly allowedExtensions: readonly string[]
  /** Creates a key for one or more files of the caller, and the permission to upload them without other credentials. */
  form(call: Call): FormSignature & { readonly key: string }
  /** Returns the person and account of a form. @throws Forbidden if the plugin did not issue it, or it has expired */
  uploaderOf(key: string, form: FormSignature): Uploader
  /** Checks that an uploader may still act in the account: a form works for an hour. @throws Forbidden */
  admit(uploader: Uploader): Promise<void>
  /** Checks the key and the name before the bytes arrive; `upload` checks them again. @throws Invalid on `key` or `file` */
  check(uploader: Uploader, file: Pick<Upload, 'key' | 'name'>): void
  /**
   * Stores a file that no record uses yet.
   *
   * @param inside a transaction of the host that the file belongs to
   * @throws Invalid on `key` or `file`
   */
  upload(uploader: Uploader, file: Upload, inside?: Inside): Promise<Uploaded>
  /** Returns the file of an attachment. @throws Forbidden if the plugin did not sign the URL, or it has expired; NotFound */
  attachment(key: string, query: { readonly expires: string; readonly signature: string }): Promise<Download>
  /** Returns a picture. @throws NotFound */
  picture(key: string): Promise<Download>
  /** Rejects if the store of the host cannot be used now; null if the bytes are in the database. */
  readonly askStore: (() => Promise<void>) | null
  /** Deletes files that nothing uses any more; see `cleanUpFiles`. */
  cleanUp(): Promise<void>
}

/** Creates the uploads and downloads. Bytes go to `deps.bytes`; those of older files may still be in the database. */
export function createFiles(given: FilesDeps): Files {
  const { storage, catalog, clock, sizeLimit, allowedExtensions, store } = given
  const { people, callers } = given.access
  const addresses = createFileAddresses(given.baseUrl, given.secret, given.urlLifetimeMs)
  const deps: FileDeps = { ...given, addresses, bytes: store ? hostBytes(store) : databaseBytes(storage) }
  const keepers = [deps.bytes, databaseBytes(storage)]

  const open = (file: FileRow): Download => ({
    ...file,
    content() {
      const keeper = keepers.find(({ keptBy }) => keptBy === file.keptBy)
      if (!keeper) throw new Error(`The bytes of ${file.key} are in files.store, which is no longer configured`)
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
    upload: (uploader, file, inside) => upload(deps, uploader, file, inside),
    async attachment(key, query) {
      if (!addresses.isDownload(key, query, clock.now())) throw new Forbidden()
      // The file of a removed attachment exists until the next cleanup.
      if (!(await isAttached(key))) throw new NotFound()
      return open(await usedFile(key))
    },
    async picture(key) {
      if (readKey(key)?.kind !== 'pictures') throw new NotFound()
      return open(await usedFile(key))
    },
    askStore: store ? async () => void (await store.check?.()) : null,
    cleanUp: () => cleanUpFiles(deps),
  }
}
