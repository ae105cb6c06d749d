import { type FieldOptions, makeField } from '../language/field.js'
import { ID } from './json-schema.js'
import type { Kind } from './kind.js'
import {
  boundsOf,
  minutesIn,
  mistakeInWholeNumber,
  numberInCell,
  readNumber,
  refuseNumber,
  wholeNumberIn,
} from './values/numbers.js'
import type { Refusal } from './values/read-values.js'

const NO_INTEGER: Refusal = { refused: 'not_an_integer' }
const [MIN_INTEGER, MAX_INTEGER] = [-2_147_483_648, 2_147_483_647]

/** A whole number of at most 32 bits. */
export const integerKind: Kind = {
  options: { minimum: true, maximum: true },
  defaults: 'number',
  mistakeInTest: mistakeInWholeNumber,
  column: {
    form: () => ({ method: 'integer', types: ['int', 'bigint', 'mediumint'], length: 0, isNumber: true }),
    decode: Number,
    refuse: (value) => refuseNumber(value) ?? (Number.isInteger(value) ? null : NO_INTEGER),
    encode: Number,
  },
  input: {
    read(value, _zone, field) {
      const read = readNumber(value, field)
      if (!('value' in read)) return read
      return Number.isInteger(read.value) ? read : NO_INTEGER
    },
    check: (field) => ({ type: ['integer', 'null'], minimum: MIN_INTEGER, maximum: MAX_INTEGER, ...boundsOf(field) }),
    cell: (text, field) => minutesIn(text, field) ?? numberInCell(text),
  },
  filter: {
    read: (text) => wholeNumberIn(text.trim()),
    isOrdered: true,
    takesSets: true,
  },
  document: {
    shown: ({ name }) => (name === 'id' ? ID : { type: 'integer' }),
    sent: (field) => ({ type: 'integer', ...boundsOf(field) }),
  },
}

/** A whole number of at most 32 bits. */
export function integer<const O extends FieldOptions = object>(options?: O) {
  return makeField<number, O, 'integer'>('integer', {}, options)
}
