/** Limits of the JSON that a field may hold, and how it is read. */

/** Bytes that a hash, or a list of texts, takes as JSON text at most. */
export const MAX_HASH_BYTES = 65_536
/** Levels of objects and arrays within each other, as in bodies. */
export const MAX_HASH_DEPTH = 32

/** True when the value is nested deeper than this; a value that contains itself is. */
export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  return Object.values(value).some((inner) => typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1))
}

/** The value of a JSON text; null for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
