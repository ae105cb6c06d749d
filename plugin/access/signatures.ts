/** Signatures of addresses and forms: whoever has one may use it for a while, without credentials. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature of a name that works until a time, in hexadecimal digits. `use` keeps one use from serving another. */
export function signatureOf(secret: string, use: string, name: string, expires: string): string {
  return createHmac('sha256', secret).update(`${use}\n${name}\n${expires}`).digest('hex')
}

/** Whether the signature is ours; compares in constant time. Whether the time is over is the caller's to look at. */
export function isSignature(secret: string, use: string, name: string, expires: string, given: string): boolean {
  const expected = Buffer.from(signatureOf(secret, use, name, expires))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
