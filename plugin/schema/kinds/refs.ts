import { type FieldOptions, makeField } from '../language/field.js'
import { referenceTo } from './json-schema.js'
import type { Kind } from './kind.js'
import { put, relatedIn } from './writers.js'

/** The records that a link leads to. */
export const refsKind: Kind = {
  options: { record: true, allowDisabled: true, onRequest: true },
  column: null,
  input: null,
  filter: null,
  answer: {
    writer: (field, builder) => put(field.name, builder.type.links.has(field.name) ? relatedIn(field, builder) : () => []),
  },
  document: {
    shown: ({ record = '' }) => ({ type: 'array', items: referenceTo(record) }),
    neverNull: 'shown',
  },
}

/** The records that the link of the same name leads to, as references; callers send `<singular>_ids`. */
export function refs<const R extends string, const O extends FieldOptions = object>(record: R, options?: O) {
  return makeField<never, O, 'refs', R>('refs', { record }, options)
}
