/** Reads pictures in bodies: URLs, or images within a data URL (behaviour: Pictures). */
import type { RecordType } from '../../catalog.js'
import { isWebAddress } from './formats.js'
import type { Refusal } from './read-values.js'

/** An image in a body. */
export interface Picture {
  readonly bytes: Buffer
  /** Media type by the bytes, not by the type in the data URL. */
  readonly type: string
  readonly extension: string
}

/** The columns of a type that contain pictures. */
export function pictureColumns(type: RecordType): readonly string[] {
  return [...type.columns].filter(([, field]) => field.format === 'picture').map(([column]) => column)
}

/** Maximum number of bytes of an image. */
export const MAX_PICTURE_BYTES = 1_048_576
const MAX_URL_LENGTH = 1024

/** Accepted types in data URLs; not SVG, which may contain scripts. */
const DATA_URL = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/i

interface Signature {
  readonly type: string
  readonly extension: string
  /** First bytes of the file, as hexadecimal digits; dots match any. */
  readonly begin: RegExp
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', extension: 'png', begin: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', extension: 'jpg', begin: /^ffd8ff/ },
  { type: 'image/gif', extension: 'gif', begin: /^474946383[79]61/ },
  { type: 'image/webp', extension: 'webp', begin: /^52494646.{8}57454250/ },
]

/** True for a data URL, even one without a valid image. */
export function isDataUrl(value: string): boolean {
  return /^data:/i.test(value)
}

/** The mistake in a picture; null if there is none. */
export function mistakeInPicture(value: string): Refusal | null {
  if (isDataUrl(value)) {
    if (value.length > MAX_PICTURE_BYTES * 2) return TOO_BIG
    const read = readPicture(value)
    if (read === null) return { refused: 'no_picture' }
    return read.bytes.length > MAX_PICTURE_BYTES ? TOO_BIG : null
  }
  if (value.length > MAX_URL_LENGTH) return { refused: 'too_long', params: { max: MAX_URL_LENGTH } }
  return isWebAddress(value) ? null : { refused: 'invalid' }
}

/** The image in a data URL; null if it contains none. */
export function readPicture(value: string): Picture | null {
  const encoded = DATA_URL.exec(value)?.[1]
  if (encoded === undefined) return null
  const bytes = Buffer.from(encoded, 'base64')
  const begin = bytes.subarray(0, 12).toString('hex')
  const found = SIGNATURES.find((signature) => signature.begin.test(begin))
  return found ? { bytes, type: found.type, extension: found.extension } : null
}

const TOO_BIG: Refusal = { refused: 'file_too_big', params: { max: MAX_PICTURE_BYTES / 2 ** 20 } }
