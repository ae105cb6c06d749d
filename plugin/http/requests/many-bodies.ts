/** Bodies that are arrays of objects, each of which is a body of its own (behaviour: Arrays of records; ADR 0057). */
import { BadRequest, ItsmError } from '../../core/errors.js'
import { checkEntries, checkNames, OF_ARRAY, parseWithin } from '../../core/json-text.js'
import { bytesOfTexts, cleanCounted, isObject, type JsonObject } from './json-body.js'
import { tooBig } from './request-bytes.js'

/** Maximum number of bodies in an array: as many rows as an import saves together. */
const MAX_BODIES = 500

/** One of the bodies, or the error that it alone would get. */
export type OneBody = JsonObject | ItsmError

/** True if the text can only be that of an array. */
export function isArrayText(text: string): boolean {
  return /^\s*\[/.test(text)
}

/**
 * Parses the bodies in a JSON text.
 *
 * @param limit maximum bytes of each body
 * @throws BadRequest if the text is not JSON, over the budget of arrays, or has no bodies or too many
 */
export function parseMany(text: string, limit: number): readonly OneBody[] {
  let value: unknown
  try {
    value = parseWithin(text, undefined, OF_ARRAY)
  } catch (error) {
    if (error instanceof ItsmError) throw error
    throw new BadRequest('Invalid JSON string posted', error)
  }
  return cleanMany(value as readonly unknown[], limit)
}

/**
 * Reads the bodies of an array.
 *
 * @param check throws for a body that is refused
 * @throws BadRequest
 */
export function cleanMany(
  values: readonly unknown[],
  limit: number,
  check: (body: JsonObject) => void = () => {},
): readonly OneBody[] {
  if (values.length === 0 || values.length > MAX_BODIES)
    throw new BadRequest(`Body should be a JSON object, or an array of 1 to ${MAX_BODIES} of them`)
  // Nothing in it is meant as a body.
  if (!values.some(isObject)) throw new BadRequest('Body should be a JSON object')
  let [entries, names] = [values.length, 0]
  const bodies = values.map((value): OneBody => {
    try {
      const { counted, object } = cleanCounted(value)
      entries += counted.entries
      names += counted.names
      check(object)
      return bytesOfTexts(object) > limit ? tooBig(limit) : object
    } catch (error) {
      if (error instanceof ItsmError) return error
      throw error
    }
  })
  checkEntries(entries, OF_ARRAY)
  checkNames(0, names, OF_ARRAY)
  return bodies
}
