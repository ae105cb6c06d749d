/** Addresses of files, and the forms with which files are uploaded (gaps 6.15). */
import { isSignature, signatureOf } from '../access/signatures.js'
import { momentOf } from '../core/clock.js'
import { NAME_PLACE } from './keys.js'

/** What a form for an upload holds, and what comes back with the file. */
export interface FormSignature {
  /** ISO 8601 in UTC. */
  readonly expiration: string
  readonly signature: string
}

export interface FileAddresses {
  /** The key that clients complete with the name of the file, and the permission to upload to it for an hour. */
  form(folder: string, now: Date): FormSignature & { readonly key: string }
  /** Whether we have given this form away, and its time is not over. */
  isForm(folder: string, form: FormSignature, now: Date): boolean
  /**
   * The address of an attachment: whoever has it may download the file without credentials. It works at least as long as the
   * host says, and at most twice as long: it stays the same for a while, so that an answer does not differ from the last one
   * only because it was asked for later.
   */
  download(key: string, now: Date): string
  /** Whether the address is ours, and its time is not over. */
  isDownload(key: string, query: { readonly expires: string; readonly signature: string }, now: Date): boolean
  /** The address of a picture, which never changes: its key is the only permission. */
  picture(key: string): string
}

const FORM_LASTS = 3_600_000
const UPLOAD = 'file upload'
const DOWNLOAD = 'file download'

/**
 * @param baseUrl the address at which clients reach us, with the version segment and without a final slash
 * @param lastsFor seconds for which a download address works at least
 */
export function createFileAddresses(baseUrl: string, secret: string, lastsFor: number): FileAddresses {
  const addressOf = (key: string) => `${baseUrl}/${key.split('/').map(encodeURIComponent).join('/')}`
  return {
    form(folder, now) {
      const expiration = momentOf(new Date(now.getTime() + FORM_LASTS))
      return { key: `${folder}/${NAME_PLACE}`, expiration, signature: signatureOf(secret, UPLOAD, folder, expiration) }
    },
    isForm: (folder, { expiration, signature }, now) =>
      isSignature(secret, UPLOAD, folder, expiration, signature) && Date.parse(expiration) > now.getTime(),
    download(key, now) {
      const expires = String((Math.floor(now.getTime() / 1000 / lastsFor) + 2) * lastsFor)
      return `${addressOf(key)}?expires=${expires}&signature=${signatureOf(secret, DOWNLOAD, key, expires)}`
    },
    isDownload: (key, { expires, signature }, now) =>
      isSignature(secret, DOWNLOAD, key, expires, signature) && Number(expires) * 1000 > now.getTime(),
    picture: addressOf,
  }
}
