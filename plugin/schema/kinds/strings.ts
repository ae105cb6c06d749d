import { digitsOf, isLost } from '../../core/sent-number.js'
import { lineOf } from '../../core/text/blank.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { isTooBig, jsonInColumn, MAX_JSON_BYTES } from './values/json-values.js'
import { INEXACT, refuseText, wellFormed } from './values/read-values.js'

/** Maximum number of texts in one field. */
const MAX_STRINGS = 100
/** Maximum number of characters of a text without a `max` of its own. */
const DEFAULT_MAX = 255

/** Texts in order. */
export const stringsKind: Kind = {
  options: { max: true },
  mistakes: ({ max }) => (max && max > 0 ? [] : ['a string needs its maximum length']),
  column: {
    form: () => ({ method: 'strings', types: ['mediumtext', 'longtext', 'json', 'text'], length: MAX_JSON_BYTES }),
    decode: jsonInColumn,
    refuse(value) {
      if (!Array.isArray(value) || value.some(refuseText)) return { refused: 'invalid' }
      return isTooBig(JSON.stringify(value)) ? { refused: 'too_big_text' } : null
    },
    encode: (value) => JSON.stringify(value),
  },
  input: {
    /** Omits blank texts; an empty list clears the field. */
    read(given) {
      const value: unknown = Array.isArray(given) ? given.map(digitsOf) : given
      if (Array.isArray(value) && value.some(isLost)) return INEXACT
      if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' || typeof text === 'number'))
        return { refused: 'invalid' }
      const texts = value.map((text) => wellFormed(lineOf(String(text)))).filter((text) => text !== '')
      if (texts.some((text) => text.includes('\0'))) return { refused: 'invalid' }
      if (isTooBig(JSON.stringify(texts))) return { refused: 'too_big_text' }
      return { value: texts.length > 0 ? texts : null }
    },
    check: ({ max = DEFAULT_MAX }) => ({
      type: ['array', 'null'],
      maxItems: MAX_STRINGS,
      items: { type: 'string', maxLength: max },
    }),
  },
  filter: null,
  document: {
    shown: ({ max = DEFAULT_MAX }) => ({ type: 'array', maxItems: MAX_STRINGS, items: { type: 'string', maxLength: max } }),
  },
}

/** Texts of at most `max` characters each, in order. */
export function strings<const O extends FieldOptions = object>(max: number, options?: O) {
  return makeField<readonly string[], O, 'strings'>('strings', { max }, options)
}
