import { normalized } from '../../core/text/identity.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { readText, refuseText } from './values/read-values.js'

/** Maximum number of bytes, and so of characters, of a text without a `max` of its own (spec, Limits: 64 KB). */
export const MAX_TEXT = 65_536

/** A text of several lines. */
export const textKind: Kind = {
  options: { max: true, ignoreCase: true, note: true, plain: true, translated: true },
  isText: true,
  isMultiline: true,
  column: {
    form: ({ max = MAX_TEXT }) => ({ method: 'text', types: ['mediumtext', 'longtext', 'text'], length: max }),
    decode: String,
    refuse: refuseText,
    encode: (value) => normalized(String(value)),
  },
  input: {
    read(value, _zone, { max }) {
      const read = readText(value)
      if (typeof read !== 'string') return read
      // Too long even if it consists of CRLF.
      if (read.length > 2 * MAX_TEXT) return max ? { refused: 'too_long', params: { max } } : { refused: 'too_big_text' }
      return { value: normalized(read.replace(/\r\n?/g, '\n')) }
    },
    check: ({ max }) => ({ type: ['string', 'null'], maxBytes: MAX_TEXT, ...(max ? { maxLength: max } : {}) }),
  },
  filter: { read: normalized },
  document: { shown: ({ max = MAX_TEXT }) => ({ type: 'string', maxLength: max }) },
}

/** A text of at most 64 KB, or `max` characters; line feeds are kept. */
export function text<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'text'>('text', {}, options)
}
