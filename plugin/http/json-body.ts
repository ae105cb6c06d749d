/** From the text of a body to an object that cannot do harm, whoever copies or merges it later. */
import { BadRequest } from '../core/errors.js'
import { isPoison } from '../schema/derive/json.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** Levels of objects and arrays within each other. */
const MAXIMUM_DEPTH = 32

/**
 * The object that a JSON text holds.
 *
 * @throws BadRequest when the text is no JSON, no object, or nested deeper than any record
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

/** The fields of a URL-encoded form; of a name that stands there twice, the last value. */
export function parseForm(text: string): JsonObject {
  return cleanObject(Object.fromEntries(new URLSearchParams(text)))
}

/** The object without keys that reach for prototypes. @throws BadRequest when it is none, or nested too deeply */
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
