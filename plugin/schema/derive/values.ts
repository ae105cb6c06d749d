/**
 * Reads values of callers that mean the same in all kinds of fields, in any accepted spelling (behaviour: Value formats,
 * Writing).
 */
import type { Read, Refusal } from '../kinds/kind.js'

const TRUE_WORDS = new Set(['1', 't', 'y', 'true', 'yes', 'on'])

/** Anything but the accepted spellings of true is false (behaviour: Value formats). */
export function readBoolean(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && TRUE_WORDS.has(value.trim().toLowerCase()))
}

/** The id of another record: a number, digits, or an object with such an id; null for anything else. */
export function readId(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null
}

/** The text of a value that is one, or that has an obvious text. */
export function readText(value: unknown): string | Refusal {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { refused: 'invalid' }
  const text = wellFormed(String(value))
  // Not every database keeps what follows a NUL, and no text of people has one.
  return text.includes('\0') ? { refused: 'invalid' } : text
}

/** A lone surrogate cannot be stored as UTF-8. It becomes the replacement character here, so that answers show what is kept. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

/** A text that a check either brings into its one form or refuses, with this code. */
export function readTime(value: unknown, code: string, check: (text: string) => string | null): Read {
  const read = typeof value === 'string' ? check(value.trim()) : null
  return read === null ? { refused: code } : { value: read }
}
