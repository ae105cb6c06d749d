/** Texts that must be used again, stored so that a copy of the database does not reveal them. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

/** Encrypts texts, and decrypts them again. */
export interface Seal {
  /** Encrypts a text, so that only the same secret can open it. The result is Base64, another one each time. */
  seal(text: string): string
  /** Null if it was sealed with another secret or altered. */
  open(sealed: string): string | null
}

/** The key that a secret has for a use. Keys of different uses do not reveal each other. */
export function keyFor(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'koa-itsm', use, KEY_BYTES))
}

/**
 * Creates a seal (AES-256-GCM).
 *
 * @param secret at least 32 characters, the same in all processes and for the life of the database
 * @param use what the texts are; a text that was sealed for another use cannot be opened
 */
export function createSeal(secret: string, use: string): Seal {
  const key = keyFor(secret, use)
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const start = NONCE_BYTES + TAG_BYTES
      if (bytes.length < start) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
