/** Secrets that sign deliveries: `whsec_` and the bytes in Base64. */

const PREFIX = 'whsec_'
/** Bytes that a secret may have, and those of secrets that are made here. */
const [MIN_BYTES, MAX_BYTES, MADE_BYTES] = [24, 64, 32]
const MAX_TEXT = 100

/** True for a secret. Its Base64 must be the usual one of its bytes, as all libraries read it. */
export function isSigningSecret(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_TEXT || !value.startsWith(PREFIX)) return false
  const bytes = bytesOfSigningSecret(value)
  if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) return false
  return PREFIX + bytes.toString('base64') === value
}

/** A new secret. */
export function newSigningSecret(randomBytes: (count: number) => Buffer): string {
  return PREFIX + randomBytes(MADE_BYTES).toString('base64')
}

/** The bytes of a secret. */
export function bytesOfSigningSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}
