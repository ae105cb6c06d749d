/** Limits of JSON in a field, and functions that read it. */
import type { Json } from '../field.js'

/** Maximum number of bytes of an object, or a list of texts, as JSON text. */
export const MAX_JSON_BYTES = 65_536
/** Maximum depth of objects and arrays within each other, as in bodies. */
export const MAX_JSON_DEPTH = 32

/** True if the value is nested deeper than this, or contains itself. */
export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  return Object.values(value).some((inner) => typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1))
}

/** True for a key that would change the prototype of an object that it is copied or merged into. */
export function isPoison(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

/** The value of a JSON text, without keys that change prototypes; null for any other text. */
export function parseJson(text: string): unknown {
  try {
    // Keys for which the function returns undefined are omitted.
    return JSON.parse(text, (key, value: unknown) => (isPoison(key, value) ? undefined : value))
  } catch {
    return null
  }
}

/** The value of a column with JSON, which some drivers have already parsed. */
export function jsonInColumn(cell: unknown): Json {
  return typeof cell === 'string' ? (JSON.parse(cell) as Json) : (cell as Json)
}

/**
 * The value of a cell of a file. Other texts than JSON are returned unchanged, so that they are refused with the message of the
 * field.
 */
export function jsonInCell(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
