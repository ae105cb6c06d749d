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

/** What the query of a signed URL has. */
export interface SignedQuery {
  /** Seconds of the epoch. */
  readonly expires: string
  readonly signature: string
}

/** Returns the query with which a URL works until a time: `expires=…&signature=…`. @param expires seconds of the epoch */
export function signedQuery(secret: string, use: string, name: string, expires: number): string {
  return `expires=${expires}&signature=${signatureOf(secret, use, name, String(expires))}`
}

/** True if the signature is valid, and its time has not come. */
export function isSignedQuery(secret: string, use: string, name: string, query: SignedQuery, now: Date): boolean {
  return isSignature(secret, use, name, query.expires, query.signature) && Number(query.expires) * 1000 > now.getTime()
}
