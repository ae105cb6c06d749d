/** Remembers credentials that were right, so that the next call with them needs neither a hash nor a place in a queue. */
import { hash, randomBytes } from 'node:crypto'

export interface Remembered {
  has(...credentials: readonly string[]): boolean
  /** Note that was remembered with the credentials; undefined if they are unknown. */
  noteOf(...credentials: readonly string[]): string | undefined
  add(...credentials: readonly string[]): void
  /** Remembers a text with the credentials that saves work at the next call. It must not reveal them. */
  addNoted(note: string, ...credentials: readonly string[]): void
  forget(...credentials: readonly string[]): void
}

/** Maximum number of marks, of 44 characters each, with notes of 64; the most recently used stay. */
const MAX_REMEMBERED = 10_000

/**
 * Keeps only marks: digests with a key that this process creates and never reveals. As marks stay in memory, a prefixed key is
 * as safe as an HMAC, which takes three times as long, for every call.
 */
export function rememberCredentials(): Remembered {
  const key = randomBytes(32).toString('hex')
  const marks = new Map<string, string>()
  const markOf = (credentials: readonly string[]) => hash('sha256', key + JSON.stringify(credentials), 'base64')
  const put = (mark: string, note: string) => {
    marks.delete(mark)
    marks.set(mark, note)
  }
  const noteOf = (...credentials: readonly string[]) => {
    const mark = markOf(credentials)
    const note = marks.get(mark)
    if (note !== undefined) put(mark, note)
    return note
  }
  const addNoted = (note: string, ...credentials: readonly string[]) => {
    put(markOf(credentials), note)
    if (marks.size > MAX_REMEMBERED) marks.delete(marks.keys().next().value ?? '')
  }
  return {
    noteOf,
    addNoted,
    has: (...credentials) => noteOf(...credentials) !== undefined,
    add: (...credentials) => addNoted('', ...credentials),
    forget: (...credentials) => void marks.delete(markOf(credentials)),
  }
}
