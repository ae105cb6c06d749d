/** Limits of JSON in a field, and functions that read it. */
import { ItsmError } from '../../../core/errors.js'
import { parseWithin } from '../../../core/json-text.js'
import { SentNumber } from '../../../core/sent-number.js'
import type { Json } from '../../language/field.js'
import { isStorable, type Refusal } from './read-values.js'

/** Maximum number of bytes of an object, or a list of texts, as JSON text. */
export const MAX_JSON_BYTES = 65_536
/** Maximum depth of objects and arrays within each other, as in bodies. */
export const MAX_JSON_DEPTH = 32

/** True if the value is nested deeper than this, or contains itself. */
export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const inner of valuesOf(value)) if (isNested(inner) && isDeeper(inner, levels - 1)) return true
  return false
}

/** True for an object or a list. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof SentNumber)
}

/** The refusal of data with a number that would be stored as another one. */
export const INEXACT_WITHIN: Refusal = { refused: 'inexact_number_within' }

/** True for data with such a number; not for data that contains itself. */
export function holdsInexact(value: unknown): boolean {
  if (value instanceof SentNumber) return value.exact === null
  return isNested(value) && valuesOf(value).some(holdsInexact)
}

/** The JSON text of data, numbers as numbers; undefined for what JSON cannot represent. */
export function jsonTextOf(value: object): string
export function jsonTextOf(value: unknown): string | undefined
export function jsonTextOf(value: unknown): string | undefined {
  return JSON.stringify(withPlainNumbers(value))
}

function withPlainNumbers(value: unknown): unknown {
  if (value instanceof SentNumber) return value.exact
  if (!holdsNumbers(value)) return value
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  return Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, withPlainNumbers(one)]))
}

function holdsNumbers(value: unknown): boolean {
  return value instanceof SentNumber || (isNested(value) && valuesOf(value).some(holdsNumbers))
}

/** The entries of a list, or the values of an object. */
export function valuesOf(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value)
}

/** True for a JSON text that is too big for a field. */
export function isTooBig(text: string): boolean {
  return Buffer.byteLength(text) > MAX_JSON_BYTES
}

/** True for data that JSON returns as it is: no dates, no numbers such as NaN, nothing undefined. The data has to end. */
export function isPlainJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlainJson)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainJson)
}

/** True for a key that would change the prototype of an object that it is copied or merged into. */
export function isPoison(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

/** The refusal of data with a key that would change prototypes, at any depth; null for other data. Not for data that contains itself. */
export function refusePoison(value: unknown): Refusal | null {
  if (!isNested(value)) return null
  for (const [key, inner] of Object.entries(value)) {
    const refused = isPoison(key, inner) ? { refused: 'reserved_name', params: { name: key } } : refusePoison(inner)
    if (refused) return refused
  }
  return null
}

/**
 * The value of a JSON text within a body; null for other texts. Keys that change prototypes are among those of its objects.
 *
 * @throws BadRequest beyond the budget of bodies
 */
export function parseJson(text: string): unknown {
  try {
    return parseWithin(text)
  } catch (error) {
    if (error instanceof ItsmError) throw error
    return null
  }
}

/** The value of a column with JSON, which some drivers have already parsed. */
export function jsonInColumn(cell: unknown): Json {
  return typeof cell === 'string' ? (JSON.parse(cell) as Json) : (cell as Json)
}

/**
 * The value of a cell of a file. Other texts than JSON are returned unchanged, so that they are refused with the message of the
 * field; so is false, for a text beyond the budget of bodies.
 */
export function jsonInCell(text: string): Json {
  try {
    return parseWithin(text) as Json
  } catch (error) {
    return error instanceof ItsmError ? false : text
  }
}
