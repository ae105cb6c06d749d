/** Signatures of URLs and forms, which can be used for a limited time without credentials. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature of a name that is valid until a time, in hexadecimal digits. `use` prevents using it for another purpose. */
export function signatureOf(secret: string, use: string, name: string, expires: string): string {
  return createHmac('sha256', secret).update(`${use}\n${name}\n${expires}`).digest('hex')
}

/** True if the signature is valid; compares in constant time. Does not check the expiry: callers do. */
export function isSignature(secret: string, use: string, name: string, expires: string, given: string): boolean {
  const expected = Buffer.from(signatureOf(secret, use, name, expires))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
