/** Passwords and API tokens, stored so that a copy of the database reveals neither. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** Cost of a password hash: about 90 ms and 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32

export interface Secrets {
  hashPassword(password: string): Promise<string>
  /** Compares in constant time. */
  matchesPassword(password: string, hash: string): Promise<boolean>
  /** Takes as long as a comparison, so that unknown names cannot be distinguished from wrong passwords. */
  pretendToCompare(password: string): Promise<false>
  newToken(): string
  /** The digest that a token is looked up by. */
  digest(token: string): string
  /** Encrypts a text that must be shown again, so that only this secret can open it. */
  seal(text: string): string
  /** Null if it was sealed with another secret or altered. */
  open(sealed: string): string | null
}

/** @param secret at least 32 characters, the same in all processes and for the life of the database */
export function createSecrets(secret: string): Secrets {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'koa-itsm', use, KEY_BYTES))
  const [digestKey, sealKey] = [keyFor('token digest'), keyFor('token seal')]
  return {
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
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < 28) return null
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
