import { numberOf } from '../../core/sent-number.js'
import { shown } from '../../core/text/shown.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { isBooleanWord, readBoolean } from './values/read-values.js'

/** True or false. */
export const booleanKind: Kind = {
  options: { namesAccount: true, onlyWords: true },
  counted: 'values',
  defaults: 'boolean',
  mistakeInTest: (value) => (typeof value === 'boolean' ? null : `${shown(value)} is not true or false`),
  column: {
    form: () => ({ method: 'boolean', types: ['tinyint', 'smallint', 'int', 'bit'], length: 0, isNumber: true }),
    decode: (cell) => Number(cell) === 1,
    refuse: (value) => (typeof value === 'boolean' ? null : { refused: 'invalid' }),
    encode: (value) => (value === true ? 1 : 0),
  },
  input: {
    read: (value, _zone, { onlyWords }) =>
      typeof numberOf(value) === 'object' || (onlyWords && !isBooleanWord(value))
        ? { refused: 'invalid' }
        : { value: readBoolean(value) },
    cleared: ({ default: value }) => value ?? false,
    check: () => ({ type: ['boolean', 'null'] }),
    cell: (text, { onlyWords }) => (onlyWords && !isBooleanWord(text) ? text : readBoolean(text)),
  },
  filter: {
    read: (text) => readBoolean(text.trim()),
    refuseSet: (name) => `Cannot filter on a set of values for field '${name}'`,
  },
  document: { shown: () => ({ type: 'boolean' }), neverNull: 'sent' },
}

/** True or false; a cleared field takes the default, else false. */
export function boolean<const O extends FieldOptions = object>(options?: O) {
  return makeField<boolean, O, 'boolean'>('boolean', {}, options)
}
