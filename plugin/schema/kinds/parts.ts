import { digitsOf } from '../../core/sent-number.js'
import { type FieldOptions, type Json, makeField } from '../language/field.js'
import { formOf, insideName, schemaNamed } from './json-schema.js'
import { type Kind, recordOf } from './kind.js'
import { put, relatedIn } from './writers.js'

/** Maximum number of sub-records in one body. */
const MAX_PARTS = 1_000

/** The sub-records of a type. */
export const partsKind: Kind = {
  options: { record: true, shows: true, replaceable: true, allowDisabled: true },
  column: null,
  input: {
    read(value) {
      const isList =
        Array.isArray(value) &&
        value.length <= MAX_PARTS &&
        value.every((part) => typeof digitsOf(part) === 'object' && part !== null)
      return isList ? { value: value as Json } : { refused: 'invalid' }
    },
  },
  filter: null,
  answer: {
    writer: (field, builder) => put(field.name, relatedIn(field, builder)),
  },
  document: {
    shown(field, catalog) {
      const { record = '', shows } = field
      const part = recordOf(field, catalog)
      const name = shows && part ? insideName(part, shows, catalog) : formOf(record, 'listed_below')
      return { type: 'array', items: schemaNamed(name) }
    },
    sent: ({ record = '' }) => ({ type: 'array', items: schemaNamed(formOf(record, 'create')) }),
    absent: { type: 'array', maxItems: 0 },
    neverNull: 'shown',
  },
}

/** The sub-records of a record (contacts, calendar hours …), shown inside it. */
export function parts<const R extends string, const O extends FieldOptions = object>(record: R, options?: O) {
  return makeField<readonly Json[], O, 'parts', R>('parts', { record }, options)
}
