/** Parses the text of a body into an object that is safe to copy or merge. */
import { BadRequest } from '../core/errors.js'
import { isPoison } from '../schema/derive/json.js'
import { formPairs } from './form-pairs.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** Maximum levels of nested objects and arrays. */
const MAXIMUM_DEPTH = 32

/**
 * Parses the object in a JSON text.
 *
 * @throws BadRequest if the text is not JSON, not an object, or nested deeper than any record
 */
export function parseJsonObject(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BadRequest('Invalid JSON string posted', error)
  }
  return cleanObject(value)
}

/** The fields of a URL-encoded form. If a name occurs twice, the last value wins. */
export function parseForm(text: string): JsonObject {
  return cleanObject(Object.fromEntries(formPairs(text)))
}

/** The object without keys that could change prototypes. @throws BadRequest if it is not an object, or nested too deeply */
export function cleanObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest('Body should be a JSON object')
  clean(value, 1)
  return value as JsonObject
}

function clean(value: object, depth: number): void {
  if (depth > MAXIMUM_DEPTH) throw new BadRequest(`Body should not be nested deeper than ${MAXIMUM_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key]
    if (isPoison(key, inner)) delete (value as Record<string, unknown>)[key]
    else if (typeof inner === 'object' && inner !== null) clean(inner, depth + 1)
  }
}
