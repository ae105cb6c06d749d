/**
 * Texts of tokens: a prefix that names the kind, 30 random letters and digits (178 bits), and a checksum of six. So a leaked token
 * is found by a regular expression, and a mistyped or invented one is refused without asking the database.
 */
import { crc32 } from 'node:zlib'

/**
 * Prefixes by the kind of secret. `client` is the secret of an OAuth client, and `session` that of a session in a browser: neither
 * is a token.
 */
const PREFIXES = { personal: 'itsm_pat_', oauth: 'itsm_oat_', client: 'itsm_ocs_', session: 'itsm_ses_' } as const

/** Kind of a secret text. */
export type SecretKind = keyof typeof PREFIXES

/** Source of random bytes. */
export type RandomBytes = (count: number) => Buffer

/** Regular expression that finds tokens, and secrets of clients and sessions, in any text. Their last six characters are a checksum. */
export const SECRET_PATTERN = /\bitsm_(?:pat|oat|ocs|ses)_[0-9A-Za-z]{36}\b/

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
/** Bytes from here on would make the first letters more likely than the last ones. */
const UNBIASED = 256 - (256 % DIGITS.length)

/** Creates the text of a new secret. */
export function newSecretText(kind: SecretKind, randomBytes: RandomBytes): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < UNBIASED && random.length < RANDOM_LENGTH) random += DIGITS[byte % DIGITS.length]
    }
  }
  const text = PREFIXES[kind] + random
  return text + checksumOf(text)
}

/** The kind of secret by its prefix, even if the rest is invalid; null without a known prefix. */
export function kindOfSecret(text: string): SecretKind | null {
  for (const kind of Object.keys(PREFIXES) as SecretKind[]) if (text.startsWith(PREFIXES[kind])) return kind
  return null
}

/** True if the text has the form and the checksum of a secret; it may still be unknown. */
export function isSecretText(text: string): boolean {
  const length = PREFIXES.personal.length + RANDOM_LENGTH
  return (
    text.length === length + CHECKSUM_LENGTH && SECRET_PATTERN.test(text) && text.endsWith(checksumOf(text.slice(0, length)))
  )
}

/** The CRC-32 of everything before it, prefix included, as six digits to the base of 62, most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  while (checksum.length < CHECKSUM_LENGTH) {
    checksum = DIGITS[rest % DIGITS.length] + checksum
    rest = Math.floor(rest / DIGITS.length)
  }
  return checksum
}
