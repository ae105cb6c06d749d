import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { boundsOf, mistakeInNumber, numberIn, numberInCell, readNumber, refuseNumber } from './values/numbers.js'

/** A number that is stored as an approximation. */
export const floatKind: Kind = {
  options: { minimum: true, maximum: true },
  defaults: 'number',
  mistakeInTest: mistakeInNumber,
  column: {
    form: () => ({ method: 'float', types: ['double', 'decimal'], length: 0, isNumber: true }),
    decode: Number,
    refuse: refuseNumber,
    encode: Number,
  },
  input: {
    read: (value, _zone, field) => readNumber(value, field),
    check: (field) => ({ type: ['number', 'null'], ...boundsOf(field) }),
    cell: numberInCell,
  },
  filter: { read: (text) => numberIn(text.trim()), isOrdered: true },
  document: {
    shown: () => ({ type: 'number' }),
    sent: (field) => ({ type: 'number', ...boundsOf(field) }),
  },
}

/** A number that is stored as an approximation. */
export function float<const O extends FieldOptions = object>(options?: O) {
  return makeField<number, O, 'float'>('float', {}, options)
}
