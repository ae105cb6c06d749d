/** How files are called: keys that nobody can guess, and the names that people gave. */
import { randomBytes } from 'node:crypto'

/** What files are for; the first step of their keys. */
export type FileKind = 'attachments' | 'pictures'

/** The part of a key that comes before the name: `attachments/acme/17-3f9c…`. */
export interface Folder {
  readonly kind: FileKind
  readonly accountId: string
  /** Who uploads; null for the service itself. */
  readonly personId: number | null
}

/** What stands for the name in a key that clients complete (gaps 6.15). */
export const NAME_PLACE = `\${filename}`

const LONGEST_NAME = 255
const RANDOM_BYTES = 16
const FOLDER = /^(attachments|pictures)\/([a-z0-9-]{1,63})\/(\d{1,16})-[0-9a-f]{32}$/

/** A new folder, for one upload or one form. */
export function newFolder({ kind, accountId, personId }: Folder): string {
  return `${kind}/${accountId}/${personId ?? 0}-${randomText()}`
}

/** What a folder says; null when it is none of ours. */
export function readFolder(folder: string): Folder | null {
  const [, kind, accountId = '', person] = FOLDER.exec(folder) ?? []
  if (kind !== 'attachments' && kind !== 'pictures') return null
  return { kind, accountId, personId: Number(person) || null }
}

/** The folder and the name of a key; null when it is none of ours, or when the name could lead somewhere else. */
export function readKey(key: string): (Folder & { readonly name: string }) | null {
  const folder = folderOf(key)
  const name = key.slice(folder.length + 1)
  const read = readFolder(folder)
  return read && isFileName(name) ? { ...read, name } : null
}

/** What comes before the name in a key. */
export function folderOf(key: string): string {
  return key.split('/', 3).join('/')
}

/** True for a name without path, control characters and bytes that were no UTF-8, of at most 255 characters. */
export function isFileName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.trim() !== name || name.length > LONGEST_NAME) return false
  return !/[/\\\p{Cc}\p{Cs}\ufffd]/u.test(name)
}

/** The last step of a path, as some browsers send it; `file` when there is none. */
export function lastStep(path: string): string {
  return path.split(/[/\\]/).at(-1)?.trim() || 'file'
}

/** Where the store keeps the bytes of a file: `attachments/acme/3f9c…`, without what people said. */
export function newLocation(kind: FileKind, accountId: string): string {
  return `${kind}/${accountId}/${randomText()}`
}

/** What comes behind the last dot of a name, in lower case; empty when there is nothing. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('hex')
}
