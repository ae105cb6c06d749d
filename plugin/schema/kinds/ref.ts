import { type FieldOptions, makeField } from '../language/field.js'
import { ID, referenceTo } from './json-schema.js'
import { type Kind, recordOf } from './kind.js'
import { stringKind } from './string.js'
import { mistakeInWholeNumber, wholeNumberIn } from './values/numbers.js'
import { readId } from './values/read-values.js'

/** A reference to a record. */
export const refKind: Kind = {
  options: { record: true, allowDisabled: true, systemMayOmit: true, shownAs: true, firstOf: true },
  counted: 'values',
  mistakeInTest: mistakeInWholeNumber,
  column: {
    form: () => ({ method: 'ref', types: ['bigint', 'int'], length: 0, isNumber: true }),
    decode: Number,
    refuse: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? null : { refused: 'cannot_be_found' }),
    encode: Number,
  },
  input: {
    read(value) {
      const id = readId(value)
      return id === null ? { refused: 'cannot_be_found' } : { value: id }
    },
  },
  filter: { read: (text) => wholeNumberIn(text.trim()), takesSets: true },
  answer: { writer: (field, { referred }) => referred(field) },
  document: {
    shown(field, catalog) {
      if (field.shownAs === undefined) return referenceTo(field.record ?? '')
      return stringKind.document.shown(recordOf(field, catalog)?.fields.get(field.shownAs) ?? field, catalog)
    },
    sent: () => ID,
  },
}

/** A reference; its column, its input and its name in rows are `<field>_id`. */
export function ref<const R extends string, const O extends FieldOptions = object>(record: R, options?: O) {
  return makeField<number, O, 'ref', R>('ref', { record }, options)
}
