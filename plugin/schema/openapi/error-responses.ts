/** Schemas of errors, in both of their forms (behaviour: Error responses, Problem details). */
import { type JsonSchema, schemaNamed, TEXT } from '../kinds/json-schema.js'
import { objectOf } from './object-schemas.js'
import type { Schemas } from './schemas.js'

const MESSAGE: JsonSchema = { type: 'string', description: 'In English whatever the language of the caller.' }
const SENTENCE: JsonSchema = { type: 'string', description: 'A sentence in the language of the caller.' }
const ERRORS: JsonSchema = {
  type: 'array',
  description: 'Everything that is wrong, as pairs of a field and a sentence.',
  items: { type: 'array', prefixItems: [TEXT, TEXT], minItems: 2, maxItems: 2 },
}

/** A name of a body, cut if it is very long. */
const NAME: JsonSchema = { type: 'string', maxLength: 103 }

/** Schemas of errors, by name. */
export const ERROR_SCHEMAS: Schemas = {
  ApiError: objectOf({ message: MESSAGE, errors: ERRORS }, ['message']),
  ValidationError: objectOf({ message: MESSAGE, errors: ERRORS }, ['message', 'errors']),
  ProblemDetails: {
    ...objectOf(
      {
        type: { type: 'string', const: 'about:blank' },
        title: { type: 'string', maxLength: 64, description: 'The name of the status.' },
        status: { type: 'integer' },
        detail: MESSAGE,
        errors: { type: 'array', description: 'Everything that is wrong.', items: schemaNamed('problem_error') },
      },
      ['type', 'title', 'status', 'detail'],
    ),
    description: 'The same in the form of RFC 9457, for clients that accept application/problem+json.',
  },
  ProblemError: objectOf(
    {
      pointer: {
        type: ['string', 'null'],
        format: 'json-pointer',
        description: 'JSON pointer into the body; null for what no body contains.',
      },
      field: TEXT,
      code: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]*$',
        description: 'What is wrong, from a documented list, or a code of the host.',
      },
      detail: SENTENCE,
      params: schemaNamed('json_object'),
    },
    ['pointer', 'field', 'code', 'detail', 'params'],
  ),
}

/** The results of an array of records, which the introduction describes (behaviour: Arrays of records). */
export const RESULT_SCHEMAS: Schemas = {
  RecordResult: {
    ...objectOf(
      {
        status: { type: 'integer', description: 'The status that the record would have got alone.' },
        id: { type: 'integer', description: 'Id of the record, if it was saved.' },
        location: { type: 'string', format: 'uri', description: 'URL of the record, if it was saved.' },
        ignored: { type: 'array', description: 'Names without effect, if there are any.', items: NAME },
        message: MESSAGE,
        errors: ERRORS,
      },
      ['status'],
    ),
    description: 'What has become of one record of an array.',
  },
}

/**
 * Schemas that are in the document although no response names them. Problem details are for clients that ask for them: with a
 * second media type in each error, programs would have to find out which of the two they have got, and so with results in place
 * of records.
 */
export const ALSO_SHOWN: readonly JsonSchema[] = [schemaNamed('problem_details'), schemaNamed('record_result')]
