import { digitsOf } from '../../core/sent-number.js'
import { type FieldOptions, type Json, makeField } from '../language/field.js'
import { schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'
import {
  holdsInexact,
  INEXACT_WITHIN,
  isDeeper,
  isPlainJson,
  isTooBig,
  jsonInCell,
  jsonInColumn,
  jsonTextOf,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  parseJson,
  refusePoison,
} from './values/json-values.js'
import type { Refusal } from './values/read-values.js'

/** A JSON object that the plugin stores without interpreting it. */
export const jsonKind: Kind = {
  options: {},
  column: {
    form: () => ({ method: 'json', types: ['mediumtext', 'longtext', 'json', 'text'], length: MAX_JSON_BYTES }),
    decode: jsonInColumn,
    refuse: (value) => refuseJson(value),
    encode: (value) => JSON.stringify(value),
  },
  input: {
    read(value) {
      const object = typeof value === 'string' ? parseJson(value) : digitsOf(value)
      if (typeof object !== 'object' || object === null || Array.isArray(object)) return { refused: 'invalid' }
      if (isDeeper(object, MAX_JSON_DEPTH)) return { refused: 'invalid' }
      if (holdsInexact(object)) return INEXACT_WITHIN
      const poison = refusePoison(object)
      if (poison) return poison
      const text = jsonTextOf(object)
      if (isTooBig(text)) return { refused: 'too_big_text' }
      // Drops everything that JSON cannot represent, in case it came from the host's own code.
      return { value: JSON.parse(text) as Json }
    },
    check: () => ({ type: ['object', 'null'] }),
    cell: jsonInCell,
  },
  filter: null,
  document: { shown: () => schemaNamed('json_object') },
}

function refuseJson(value: unknown): Refusal | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || isDeeper(value, MAX_JSON_DEPTH) || !isPlainJson(value)) return { refused: 'invalid' }
  return isTooBig(JSON.stringify(value)) ? { refused: 'too_big_text' } : null
}

/** A JSON object that the plugin stores without interpreting it (custom_data). */
export function json<const O extends FieldOptions = object>(options?: O) {
  return makeField<{ readonly [key: string]: Json }, O, 'json'>('json', {}, options)
}
