/** Limits of the JSON that a field may hold, and how it is read. */
import type { Json } from '../field.js'

/** Bytes that an object, or a list of texts, takes as JSON text at most. */
export const MAX_JSON_BYTES = 65_536
/** Levels of objects and arrays within each other, as in bodies. */
export const MAX_JSON_DEPTH = 32

/** True when the value is nested deeper than this; a value that contains itself is. */
export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  return Object.values(value).some((inner) => typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1))
}

/** True for a key that would reach for the prototype of an object that is copied or merged. */
export function isPoison(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

/** The value of a JSON text, without keys that reach for prototypes; null for any other text. */
export function parseJson(text: string): unknown {
  try {
    // What the function does not return is left out.
    return JSON.parse(text, (key, value: unknown) => (isPoison(key, value) ? undefined : value))
  } catch {
    return null
  }
}

/** The value of a column with JSON, which some drivers have parsed already. */
export function jsonInColumn(cell: unknown): Json {
  return typeof cell === 'string' ? (JSON.parse(cell) as Json) : (cell as Json)
}

/** The value of a cell of a file. Texts that are not JSON pass as they are, so that they are refused with the field's own sentence. */
export function jsonInCell(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
