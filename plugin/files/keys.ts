/** Names of files: unguessable keys, and the names that people chose. */
import { randomBytes } from 'node:crypto'

/** Purpose of a file; the first segment of its key. */
export type FileKind = 'attachments' | 'pictures'

/** The part of a key that comes before the name: `attachments/acme/17-3f9c…`. */
export interface Folder {
  readonly kind: FileKind
  readonly accountId: string
  /** The uploading person; null for the system. */
  readonly personId: number | null
}

/** Placeholder for the name in a key that clients complete (behaviour: Attachments). */
export const NAME_PLACE = `\${filename}`

const MAX_NAME_LENGTH = 255
const RANDOM_BYTES = 16
const FOLDER = /^(attachments|pictures)\/([a-z0-9-]{1,63})\/(\d{1,16})-[0-9a-f]{32}$/

/** Creates a folder, for one upload or one form. */
export function newFolder({ kind, accountId, personId }: Folder): string {
  return `${kind}/${accountId}/${personId ?? 0}-${randomText()}`
}

/** Reads a folder; null if the plugin did not create it. */
export function readFolder(folder: string): Folder | null {
  const [, kind, accountId = '', person] = FOLDER.exec(folder) ?? []
  if (kind !== 'attachments' && kind !== 'pictures') return null
  return { kind, accountId, personId: Number(person) || null }
}

/** Splits a key into folder and name; null if the plugin did not create it, or if the name could lead to another path. */
export function readKey(key: string): (Folder & { readonly name: string }) | null {
  const folder = folderOf(key)
  const name = key.slice(folder.length + 1)
  const read = readFolder(folder)
  return read && isFileName(name) ? { ...read, name } : null
}

/** Returns the part of a key before the name. */
export function folderOf(key: string): string {
  return key.split('/', 3).join('/')
}

/** True for a name of at most 255 characters without path, control characters and invalid UTF-8. */
function isFileName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.trim() !== name || name.length > MAX_NAME_LENGTH) return false
  return !/[/\\\p{Cc}\p{Cs}\ufffd]/u.test(name)
}

/** Returns the last segment of a path, because some browsers send one; `file` if it is empty. */
export function lastStep(path: string): string {
  return path.split(/[/\\]/).at(-1)?.trim() || 'file'
}

/** Creates a location for the bytes of a file: `attachments/acme/3f9c…`, without any user input. */
export function newLocation(kind: FileKind, accountId: string): string {
  return `${kind}/${accountId}/${randomText()}`
}

/** Returns the extension of a name in lower case, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('hex')
}
