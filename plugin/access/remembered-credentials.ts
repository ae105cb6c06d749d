/** Remembers credentials that were right, so that the next call with them costs neither a hash nor a place in a queue. */
import { hash, randomBytes } from 'node:crypto'

export interface Remembered {
  has(...credentials: readonly string[]): boolean
  add(...credentials: readonly string[]): void
  forget(...credentials: readonly string[]): void
}

/** Maximum number of marks, of 44 characters each; those that were used last stay. */
const MAX_REMEMBERED = 10_000

/**
 * Keeps marks only: digests with a key that this process makes and never shows. As nobody sees a mark, a key in front is as
 * good as an HMAC, which takes three times as long and would be made for every call.
 */
export function rememberCredentials(): Remembered {
  const key = randomBytes(32).toString('hex')
  const marks = new Set<string>()
  const markOf = (credentials: readonly string[]) => hash('sha256', key + JSON.stringify(credentials), 'base64')
  const put = (mark: string) => {
    marks.delete(mark)
    marks.add(mark)
  }
  return {
    has(...credentials) {
      const mark = markOf(credentials)
      if (!marks.has(mark)) return false
      put(mark)
      return true
    },
    add(...credentials) {
      put(markOf(credentials))
      if (marks.size > MAX_REMEMBERED) marks.delete(marks.values().next().value ?? '')
    },
    forget: (...credentials) => void marks.delete(markOf(credentials)),
  }
}
