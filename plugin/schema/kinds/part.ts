import { digitsOf } from '../../core/sent-number.js'
import { type FieldOptions, type Json, makeField } from '../language/field.js'
import { formOf, schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'
import { put, relatedIn } from './writers.js'

/** The only sub-record of its type that a record may have. */
export const partKind: Kind = {
  options: { record: true, shows: true, allowDisabled: true },
  column: null,
  input: {
    read: (value) =>
      typeof digitsOf(value) === 'object' && !Array.isArray(value) ? { value: value as Json } : { refused: 'invalid' },
  },
  filter: null,
  answer: {
    writer(field, builder) {
      const shown = relatedIn(field, builder)
      return put(field.name, (cells, context) => shown(cells, context)[0] ?? null)
    },
  },
  document: {
    shown: ({ record = '' }) => schemaNamed(formOf(record, 'below')),
    sent: ({ record = '' }, _catalog, creating) => schemaNamed(formOf(record, creating ? 'create' : 'update')),
  },
}

/** The only sub-record of its type, as an object. Sent fields are merged into it; null removes it. */
export function part<const R extends string, const O extends FieldOptions = object>(record: R, options?: O) {
  return makeField<never, O, 'part', R>('part', { record }, options)
}
