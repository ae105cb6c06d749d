import { isDeeper, jsonInCell, jsonInColumn, MAX_HASH_BYTES, MAX_HASH_DEPTH, parseJson } from '../derive/json.js'
import { type FieldOptions, type Json, makeField } from '../field.js'
import type { Kind } from './kind.js'

/** A JSON object that the service keeps without looking inside. */
export const hashKind: Kind = {
  options: { masked: true },
  column: {
    form: () => ({ method: 'hash', types: ['mediumtext', 'longtext', 'json', 'text'], length: MAX_HASH_BYTES }),
    decode: jsonInColumn,
    encode: (value) => JSON.stringify(value),
  },
  input: {
    read(value) {
      const hash = typeof value === 'string' ? parseJson(value) : value
      if (typeof hash !== 'object' || hash === null || Array.isArray(hash)) return { refused: 'invalid' }
      if (isDeeper(hash, MAX_HASH_DEPTH)) return { refused: 'invalid' }
      const text = JSON.stringify(hash)
      if (Buffer.byteLength(text) > MAX_HASH_BYTES) return { refused: 'too_big_text' }
      // What is kept is what JSON can say, whatever the host's own code handed over.
      return { value: JSON.parse(text) as Json }
    },
    check: () => ({ type: ['object', 'null'] }),
    cell: jsonInCell,
  },
  filter: null,
  document: { shown: () => ({ type: 'object', additionalProperties: true }) },
}

/** A JSON object that the service keeps without looking inside (custom_data). */
export function hash<const O extends FieldOptions = object>(options?: O) {
  return makeField<{ readonly [key: string]: Json }, O, 'hash'>('hash', {}, options)
}
