/**
 * Reads values of callers that have the same meaning in all kinds of fields, in any accepted spelling (behaviour: Value
 * formats, Writing).
 */
import type { Params } from '../../../core/errors.js'
import { digitsOf, isLost, numberOf } from '../../../core/sent-number.js'
import type { Json } from '../../language/field.js'

/** The code of the message for the caller, and its parameters. */
export interface Refusal {
  readonly refused: string
  readonly params?: Params
}

/** The refusal of a number that would be stored as another one. */
export const INEXACT: Refusal = { refused: 'inexact_number' }

/** A value in the form of rows, or the refusal of the input. */
export type Read = { readonly value: Json } | Refusal

const TRUE_WORDS = new Set(['1', 't', 'y', 'true', 'yes', 'on'])

/** True for the accepted spellings of true; all other values are false (behaviour: Value formats). */
export function readBoolean(given: unknown): boolean {
  const value = numberOf(given)
  return value === true || value === 1 || (typeof value === 'string' && TRUE_WORDS.has(value.trim().toLowerCase()))
}

const FALSE_WORDS = new Set(['0', 'f', 'n', 'false', 'no', 'off'])

/** True for values that are meant as true or false: not for other texts and numbers, which count as false. */
export function isBooleanWord(given: unknown): boolean {
  const value = numberOf(given)
  if (readBoolean(value) || value === false || value === 0) return true
  return typeof value === 'string' && FALSE_WORDS.has(value.trim().toLowerCase())
}

/** The id of another record: a number, digits, or an object with such an id; null for anything else. */
export function readId(given: unknown): number | null {
  const value = numberOf(given)
  const id = typeof value === 'object' && value !== null ? numberOf((value as { id?: unknown }).id) : value
  const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null
}

/** The text of a string, number or boolean; of a number with the digits that were sent. */
export function readText(given: unknown): string | Refusal {
  const value = digitsOf(given)
  if (isLost(value)) return INEXACT
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { refused: 'invalid' }
  const text = wellFormed(String(value))
  // Some databases drop everything after a NUL, and real texts do not contain one.
  return text.includes('\0') ? { refused: 'invalid' } : text
}

/** True for a text that every database keeps as it is: without NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

/** The refusal of a value that is not a text as rows have it; null if it is. */
export function refuseText(value: unknown): Refusal | null {
  return typeof value === 'string' && isStorable(value) ? null : { refused: 'invalid' }
}

/**
 * Replaces lone surrogates, which UTF-8 cannot represent, by the replacement character, so that responses show what is stored.
 */
export function wellFormed(text: string): string {
  return text.toWellFormed()
}

/** A text that a check either normalizes or refuses, with this code. */
export function readTime(value: unknown, code: string, check: (text: string) => string | null): Read {
  const read = typeof value === 'string' ? check(value.trim()) : null
  return read === null ? { refused: code } : { value: read }
}
