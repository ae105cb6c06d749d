/** URLs of files, and forms for uploads (behaviour: Attachments). */
import { isSignature, isSignedQuery, signatureOf, signedQuery } from '../access/tokens/signatures.js'
import { instantOf } from '../core/clock.js'
import { NAME_PLACE } from './keys.js'

/** Signed part of an upload form. It comes back with the file. */
export interface FormSignature {
  /** ISO 8601 in UTC. */
  readonly expiration: string
  readonly signature: string
}

export interface FileAddresses {
  /** Creates a key, which clients complete with the file name, and a permission to upload to it for one hour. */
  form(folder: string, now: Date): FormSignature & { readonly key: string }
  /** True if the plugin issued this form and it has not expired. */
  isForm(folder: string, form: FormSignature, now: Date): boolean
  /**
   * Returns the URL of an attachment. Anyone with it may download the file without credentials. It works for at least the
   * configured time, at most twice as long: it stays the same for a while, so that responses do not differ only because time
   * has passed.
   */
  download(key: string, now: Date): string
  /** True if the plugin signed this URL and it has not expired. */
  isDownload(key: string, query: { readonly expires: string; readonly signature: string }, now: Date): boolean
  /** Returns the URL of a picture. It never changes: the key is the only permission. */
  picture(key: string): string
}

const FORM_LASTS = 3_600_000
const UPLOAD = 'file upload'
const DOWNLOAD = 'file download'

/**
 * @param baseUrl base URL of the API, with the version segment and without a final slash
 * @param lifetimeMs minimum number of milliseconds for which a download URL works
 */
export function createFileAddresses(baseUrl: string, secret: string, lifetimeMs: number): FileAddresses {
  // The URL says in seconds when it ends.
  const lastsFor = Math.ceil(lifetimeMs / 1000)
  const addressOf = (key: string) => `${baseUrl}/${key.split('/').map(encodeURIComponent).join('/')}`
  return {
    form(folder, now) {
      const expiration = instantOf(new Date(now.getTime() + FORM_LASTS))
      return { key: `${folder}/${NAME_PLACE}`, expiration, signature: signatureOf(secret, UPLOAD, folder, expiration) }
    },
    isForm: (folder, { expiration, signature }, now) =>
      isSignature(secret, UPLOAD, folder, expiration, signature) && Date.parse(expiration) > now.getTime(),
    download(key, now) {
      const expires = (Math.floor(now.getTime() / 1000 / lastsFor) + 2) * lastsFor
      return `${addressOf(key)}?${signedQuery(secret, DOWNLOAD, key, expires)}`
    },
    isDownload: (key, query, now) => isSignedQuery(secret, DOWNLOAD, key, query, now),
    picture: addressOf,
  }
}
