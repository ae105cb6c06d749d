/** Components that do not belong to a record type: schemas, parameters, headers and responses that many operations share. */
import { MAX_FILES } from '../attachment-inputs.js'
import { ID, type JsonSchema, schemaNamed } from './names.js'
import { objectOf, type Schemas } from './schemas.js'

/** A part of the document. */
export type Described = { readonly [part: string]: unknown }

/** A reference to a component. */
export function component(
  kind: 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'pathItems',
  name: string,
): Described {
  return { $ref: `#/components/${kind}/${name}` }
}

/** A body of JSON. */
export function json(schema: JsonSchema, example?: object): Described {
  return { 'application/json': { schema, ...(example ? { example } : {}) } }
}

const TEXT: JsonSchema = { type: 'string' }
const SENTENCE: JsonSchema = { type: 'string', description: 'A sentence in the language of the caller.' }
const ERRORS: JsonSchema = {
  type: 'array',
  description: 'Everything that is wrong, as pairs of a field and a sentence.',
  items: { type: 'array', prefixItems: [TEXT, TEXT], minItems: 2, maxItems: 2 },
}

/** Schemas, by name. */
export const SHARED_SCHEMAS: Schemas = {
  IdOnly: { ...objectOf({ id: ID }, ['id']), description: 'For callers who may not see what they have saved.' },
  AccountReference: {
    ...objectOf({ id: TEXT, name: TEXT }, ['id', 'name']),
    description: 'The account of a record that belongs to another one than that of the caller.',
  },
  StorageUpload: {
    ...objectOf(
      {
        provider: { type: 'string', enum: ['local'] },
        upload_uri: TEXT,
        upload_path: TEXT,
        ...Object.fromEntries(
          ['access_key', 'policy', 'signature', 'success_url'].map((name) => [name, { type: 'null' }] as const),
        ),
      },
      ['provider', 'upload_uri', 'upload_path'],
    ),
    description:
      'How older clients upload files: POST to upload_uri with `key`, the path and the name of the file, and `file`.',
  },
  FileChanges: {
    type: 'array',
    description: 'Uploaded files that the text takes, and attachments that it loses.',
    maxItems: MAX_FILES,
    items: {
      type: 'object',
      properties: {
        key: { type: 'string', maxLength: 512, description: 'What the upload of the file returned.' },
        filesize: { type: 'integer', minimum: 0, description: 'Bytes of the file.' },
        inline: { type: 'boolean', description: 'True when the text shows the file where it contains its key.' },
        id: { ...ID, description: 'The attachment to remove.' },
        _destroy: { type: 'boolean', description: 'True removes the attachment with this id or key.' },
      },
    },
  },
  Ids: { type: 'array', description: 'Records to link; other links are removed.', maxItems: 10_000, items: ID },
  ApiError: objectOf({ message: SENTENCE, errors: ERRORS }, ['message']),
  ValidationError: objectOf({ message: SENTENCE, errors: ERRORS }, ['message', 'errors']),
}

/** Headers, by name. */
export const SHARED_HEADERS = {
  IgnoredFields: {
    description:
      'Names in the body that were ignored, because they are unknown, read-only, or not for this caller to set. Separated by ' +
      'commas and percent-encoded. Absent when all was used; ends with `...` when there are more.',
    schema: TEXT,
  },
  Strict: {
    description: 'Says that the preference for strict handling was honored.',
    schema: { type: 'string', const: 'handling=strict' },
  },
  ETag: {
    description: 'Tag of what this URL shows to the caller, for If-Match and If-None-Match.',
    schema: { type: 'string', pattern: '^W/"[0-9a-f]{32}"$' },
  },
  Location: {
    description: 'URL of a new record; absent when a record was changed.',
    schema: { type: 'string', format: 'uri' },
  },
  Count: {
    description: 'A number about the page and the whole list.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
} as const

const PREFERENCE = { 'Preference-Applied': component('headers', 'Strict') }

/** Headers of every response to a save. */
export const HEADERS_OF_SAVES = {
  ETag: component('headers', 'ETag'),
  Location: component('headers', 'Location'),
  'X-Ignored-Fields': component('headers', 'IgnoredFields'),
} as const

/** Headers of every response with a record. */
export const HEADERS_OF_RECORDS: Described = { ETag: component('headers', 'ETag') }

/** Headers of every response with a list. */
export const PAGE_HEADERS: Described = Object.fromEntries(
  ['Per-Page', 'Current-Page', 'Total-Pages', 'Total-Entries'].map((name) => [
    `X-Pagination-${name}`,
    component('headers', 'Count'),
  ]),
)

/** A response with a body, by default of JSON. */
export function answer(description: string, schema: JsonSchema, headers: Described = {}): Described {
  return { description, headers: { ...headers, ...PREFERENCE }, content: json(schema) }
}

/** A response without a body. */
export function emptyAnswer(description: string): Described {
  return { description, headers: PREFERENCE }
}

/** Descriptions of `Refused`, by status (behaviour: Error responses). */
const REFUSALS: { readonly [status: number]: string } = {
  304: 'the caller has this answer already, as its If-None-Match says; there is no body',
  400: 'the request cannot be understood',
  401: 'credentials are missing or wrong',
  403: 'the caller may not do this',
  404: 'the address or the record does not exist, or the caller does not see it',
  406: 'only JSON is offered',
  412: 'the record is not as If-Match, If-None-Match or If-Unmodified-Since expect it; nothing was changed',
  413: 'the body is too big',
  422: 'something that was sent is not valid',
  429: 'too many requests; Retry-After says for how many seconds',
  500: 'a fault of the service',
  503: 'the service cannot answer now; Retry-After says for how many seconds',
  504: 'the call took too long; its changes may have been made or not',
}

/** Responses, by name. `x-statuses` lists the statuses of the one for all errors. */
export const SHARED_RESPONSES: { readonly [name: string]: Described } = {
  Invalid: answer('What was sent is not valid.', schemaNamed('validation_error')),
  Refused: {
    ...answer(
      `Not done. ${Object.entries(REFUSALS)
        .map(([status, why]) => `${status}: ${why}.`)
        .join(' ')}`,
      schemaNamed('api_error'),
    ),
    'x-statuses': Object.keys(REFUSALS).map(Number),
  },
  Done: emptyAnswer('Done.'),
  Linked: answer('Linked.', { type: 'object', additionalProperties: false }),
  UploadForm: answer('Where the files go.', objectOf({ storage_upload: schemaNamed('storage_upload') }, [])),
}

/** Responses that any operation may have in addition to that of its success. */
export function refusals(verb: string): Described {
  return {
    ...(['post', 'patch', 'put'].includes(verb) ? { 422: component('responses', 'Invalid') } : {}),
    default: component('responses', 'Refused'),
  }
}
