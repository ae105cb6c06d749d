/** Passwords and API tokens, stored so that a copy of the database reveals neither. */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createSeal, keyFor, type Seal } from '../../core/seal.js'

/** Cost of a password hash: about 90 ms and 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32

/** Hashes, digests and seals. What is sealed are API tokens, which are shown again. */
export interface Secrets extends Seal {
  hashPassword(password: string): Promise<string>
  /** Compares in constant time. */
  matchesPassword(password: string, hash: string): Promise<boolean>
  /** Takes as long as a comparison, so that unknown names cannot be distinguished from wrong passwords. */
  pretendToCompare(password: string): Promise<false>
  newToken(): string
  /** The digest that a token is looked up by. */
  digest(token: string): string
}

/** @param secret at least 32 characters, the same in all processes and for the life of the database */
export function createSecrets(secret: string): Secrets {
  const digestKey = keyFor(secret, 'token digest')
  return {
    ...createSeal(secret, 'token seal'),
    async hashPassword(password) {
      const salt = randomBytes(16)
      const key = await derive(password, salt)
      return `scrypt$${salt.toString('base64')}$${key.toString('base64')}`
    },
    async matchesPassword(password, hash) {
      const [kind, salt, key] = hash.split('$')
      if (kind !== 'scrypt' || !salt || !key) return false
      const expected = Buffer.from(key, 'base64')
      const given = await derive(password, Buffer.from(salt, 'base64'))
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
    async pretendToCompare(password) {
      await derive(password, Buffer.alloc(16))
      return false
    },
    newToken: () => randomBytes(24).toString('hex'),
    digest: (token) => createHmac('sha256', digestKey).update(token).digest('hex'),
  }
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
