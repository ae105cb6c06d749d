import { validDate, validLocalDatetime } from '../../core/time/zoned-time.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { readTime } from './values/read-values.js'

/** A wall-clock time that applies in a zone from another field. */
export const localDatetimeKind: Kind = {
  options: { end: true },
  column: {
    form: () => ({ method: 'localDatetime', types: ['varchar', 'char'], length: 16 }),
    decode: String,
    refuse(value, { end }) {
      const isThere = typeof value === 'string' && validLocalDatetime(value, { end: end === true }) === value
      return isThere ? null : { refused: 'invalid_datetime' }
    },
    encode: String,
  },
  input: {
    read: (value, _zone, { end }) =>
      readTime(value, 'invalid_datetime', (text) => validLocalDatetime(text, { end: end === true })),
    check: () => ({ type: ['string', 'null'] }),
  },
  filter: {
    read(text) {
      const trimmed = text.trim()
      return validLocalDatetime(validDate(trimmed) ? `${trimmed}T00:00` : trimmed)
    },
    isOrdered: true,
  },
  document: { shown: () => ({ type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' }) },
}

/** `2010-12-30T23:00`: a wall-clock time that applies in a zone from another field. */
export function localDatetime<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'localDatetime'>('localDatetime', {}, options)
}
