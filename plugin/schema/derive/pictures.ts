/** Pictures as callers give them: addresses, or images within a data URL (behaviour: Pictures). */
import type { Refusal } from '../kinds/kind.js'
import { isWebAddress } from './formats.js'

/** An image that came with a body. */
export interface Picture {
  readonly bytes: Buffer
  /** Media type, by what the bytes are and not by what the caller says. */
  readonly type: string
  readonly extension: string
}

/** Bytes of an image. */
export const LARGEST_PICTURE = 1_048_576
const LONGEST_ADDRESS = 1024

/** What callers may call the types; SVG is not among them, because it can hold scripts. */
const DATA_URL = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/i

interface Signature {
  readonly type: string
  readonly extension: string
  /** What the bytes begin with, as hexadecimal digits; dots stand for any. */
  readonly begin: RegExp
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', extension: 'png', begin: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', extension: 'jpg', begin: /^ffd8ff/ },
  { type: 'image/gif', extension: 'gif', begin: /^474946383[79]61/ },
  { type: 'image/webp', extension: 'webp', begin: /^52494646.{8}57454250/ },
]

/** True for a value that holds an image, or means to. */
export function isDataUrl(value: string): boolean {
  return /^data:/i.test(value)
}

/** What is wrong with a picture; null when nothing is. */
export function mistakeInPicture(value: string): Refusal | null {
  if (isDataUrl(value)) {
    if (value.length > LARGEST_PICTURE * 2) return TOO_BIG
    const read = readPicture(value)
    if (read === null) return { refused: 'no_picture' }
    return read.bytes.length > LARGEST_PICTURE ? TOO_BIG : null
  }
  if (value.length > LONGEST_ADDRESS) return { refused: 'too_long', params: { max: LONGEST_ADDRESS } }
  return isWebAddress(value) ? null : { refused: 'invalid' }
}

/** The image in a data URL; null when it holds none. */
export function readPicture(value: string): Picture | null {
  const encoded = DATA_URL.exec(value)?.[1]
  if (encoded === undefined) return null
  const bytes = Buffer.from(encoded, 'base64')
  const begin = bytes.subarray(0, 12).toString('hex')
  const found = SIGNATURES.find((signature) => signature.begin.test(begin))
  return found ? { bytes, type: found.type, extension: found.extension } : null
}

const TOO_BIG: Refusal = { refused: 'file_too_big', params: { max: LARGEST_PICTURE / 2 ** 20 } }
