import { shown } from '../../core/text/shown.js'
import { validDate } from '../../core/time/zoned-time.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { readTime } from './values/read-values.js'

/** A day. */
export const dateKind: Kind = {
  options: {},
  mistakeInTest: (value) =>
    typeof value === 'string' && validDate(value) ? null : `${shown(value)} is not a date such as '2026-10-31'`,
  column: {
    form: () => ({ method: 'date', types: ['date'], length: 0 }),
    decode: String,
    refuse: (value) => (typeof value === 'string' && validDate(value) ? null : { refused: 'invalid_date' }),
    encode: String,
  },
  input: {
    read: (value) => readTime(value, 'invalid_date', dateIn),
    check: () => ({ type: ['string', 'null'] }),
  },
  filter: { read: (text) => dateIn(text.trim()), isOrdered: true },
  document: { shown: () => ({ type: 'string', format: 'date' }) },
}

function dateIn(text: string): string | null {
  return validDate(text) ? text : null
}

/** A day: `2011-06-24`. */
export function date<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'date'>('date', {}, options)
}
