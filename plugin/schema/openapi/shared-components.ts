/** Components that do not belong to a record type: schemas, parameters, headers and responses that many operations share. */
import { MAX_FILES } from '../derive/attachment-inputs.js'
import { MAX_HEADER_VALUE, MAX_HEADERS } from '../kinds/headers.js'
import { ID, type JsonSchema, schemaNamed, TEXT } from '../kinds/json-schema.js'
import { ERROR_SCHEMAS, RESULT_SCHEMAS } from './error-responses.js'
import { objectOf } from './object-schemas.js'
import type { Schemas } from './schemas.js'

/** A part of the document. */
export type Described = { readonly [part: string]: unknown }

/** A reference to a component. */
export function component(kind: 'parameters' | 'headers' | 'responses' | 'requestBodies', name: string): Described {
  return { $ref: `#/components/${kind}/${name}` }
}

/** A reference to a parameter that does not belong to a type: `page`. Names of types do not begin as that of its component. */
export function sharedParameter(name: string): Described {
  return component('parameters', sharedParameterName(name))
}

/** The name of the component of a shared parameter. */
export function sharedParameterName(name: string): string {
  return `in_${name}`
}

/** A body of JSON. */
export function json(schema: JsonSchema, example?: object): Described {
  return { 'application/json': { schema, ...(example ? { example } : {}) } }
}

/** Schemas, by name. */
export const SHARED_SCHEMAS: Schemas = {
  AccountReference: {
    ...objectOf({ id: TEXT, name: TEXT }, ['id', 'name']),
    description: 'The account of a record that belongs to another one than that of the caller.',
  },
  RecordCount: {
    ...objectOf({ values: schemaNamed('json_object'), count: { type: 'integer', minimum: 1 } }, ['values', 'count']),
    description: 'Records with the same values, which are by the name of the field: as in lists, and days for timestamps.',
  },
  RecordCounts: objectOf(
    {
      total: { type: 'integer', minimum: 0 },
      groups: { type: 'array', maxItems: 200, items: schemaNamed('record_count') },
    },
    ['total', 'groups'],
  ),
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
  FileChange: {
    type: 'object',
    description: 'A file to take, with its key, or an attachment to remove, with `_destroy`.',
    properties: {
      key: { type: 'string', maxLength: 512, description: 'What the upload of the file returned.' },
      filesize: { type: 'integer', minimum: 0, description: 'Bytes of the file.' },
      inline: { type: 'boolean', description: 'True when the text shows the file where it contains its key.' },
      id: { ...ID, description: 'The attachment to remove.' },
      _destroy: { type: 'boolean', description: 'True removes the attachment with this id or key.' },
    },
  },
  FileChanges: {
    type: 'array',
    description: 'Uploaded files that the text takes, and attachments that it loses.',
    maxItems: MAX_FILES,
    items: schemaNamed('file_change'),
  },
  JsonObject: { type: 'object', additionalProperties: true, description: 'Values of any kind, by names of your own.' },
  DeliveryHeaders: {
    type: 'object',
    description: 'Headers by name.',
    maxProperties: MAX_HEADERS,
    additionalProperties: { type: 'string', maxLength: MAX_HEADER_VALUE },
  },
  CustomField: {
    ...objectOf({ id: TEXT, value: { description: 'A value of any kind.' } }, ['id', 'value']),
    additionalProperties: true,
    description: 'A value of custom_data with its name.',
  },
  AnyReference: {
    type: 'object',
    required: ['id'],
    properties: { id: ID },
    additionalProperties: true,
    description: 'A reference to a record of any type: its id, and what its type adds.',
  },
  MentionedRecord: {
    type: 'object',
    additionalProperties: schemaNamed('any_reference'),
    description: 'The reference to the record, under the name of its type.',
  },
  EmptyObject: { type: 'object', additionalProperties: false, description: 'An object without fields.' },
  Ids: { type: 'array', description: 'Records to link; other links are removed.', maxItems: 10_000, items: ID },
  ...ERROR_SCHEMAS,
  ...RESULT_SCHEMAS,
}

/** A header with its schema; by default a text. */
function header(name: string, description: string, schema: JsonSchema = TEXT) {
  return { name, described: { description, schema } }
}
const NUMBER: JsonSchema = { type: 'integer', minimum: 0 }

/** Headers by the names of their components, which are short, because hundreds of responses refer to them. */
const HEADERS = {
  Ignored: header(
    'X-Ignored-Fields',
    'Names in the body that were ignored, because they are unknown, read-only, or not for this caller to set. Separated by ' +
      'commas and percent-encoded. Absent when all was used; ends with `...` when there are more.',
  ),
  Tag: header('ETag', 'Tag of what this URL shows to the caller, for If-Match and If-None-Match.', {
    type: 'string',
    pattern: '^W/"[0-9a-f]{32}"$',
  }),
  Location: header('Location', 'URL of a new record; absent otherwise.', { type: 'string', format: 'uri' }),
  Link: header(
    'Link',
    'URLs of the pages first, prev, next and last, as in RFC 8288; absent when all records are on this page. Without next, this ' +
      'page is the last one.',
  ),
  Page: header('X-Pagination-Current-Page', 'Number of this page.', NUMBER),
  PerPage: header('X-Pagination-Per-Page', 'Records on a page.', NUMBER),
  Pages: header('X-Pagination-Total-Pages', 'Number of pages.', NUMBER),
  Entries: header('X-Pagination-Total-Entries', 'Number of records on all pages.', NUMBER),
  Limit: header('X-RateLimit-Limit', 'Calls that this caller has in an hour.', NUMBER),
  Left: header('X-RateLimit-Remaining', 'Calls that are left of them.', NUMBER),
  Reset: header('X-RateLimit-Reset', 'When the hour ends, in seconds since 1970.', NUMBER),
  CallId: header('X-Request-Id', 'Id of the call: that of the request, or a new one. Logs have it as well.', {
    type: 'string',
    maxLength: 128,
  }),
  Wait: header('Retry-After', 'Seconds to wait before the call is repeated.', {
    type: 'integer',
    minimum: 1,
  }),
} as const

/** The components of headers. */
export const SHARED_HEADERS: { readonly [name: string]: Described } = Object.fromEntries(
  Object.entries(HEADERS).map(([name, { described }]) => [name, described]),
)

function headers(...components: readonly (keyof typeof HEADERS)[]): Described {
  return Object.fromEntries(components.map((one) => [HEADERS[one].name, component('headers', one)]))
}

/** Headers of every response. Files without credentials are not counted, and have no figures of limits. */
const ALWAYS = headers('CallId', 'Limit', 'Left', 'Reset')

/** Headers of every response with a record; some of them only after a save. */
const HEADERS_OF_RECORDS = headers('Tag', 'Location', 'Ignored')

/** The header of every response to a creation. */
export const LOCATION = headers('Location')

/** Header of a list without pages. */
export const LINK = headers('Link')

/** Headers of every response with a list. */
export const PAGE_HEADERS = headers('Link', 'Page', 'PerPage', 'Pages', 'Entries')

/** A response with a body, by default of JSON. */
export function answer(description: string, schema: JsonSchema, more: Described = {}): Described {
  return { description, headers: { ...more, ...ALWAYS }, content: json(schema) }
}

/** A response without a body. */
export function emptyAnswer(description: string, more: Described = {}): Described {
  return { description, headers: { ...more, ...ALWAYS } }
}

/**
 * The response with a record, to those who read it and to those who save it. In place of what they saved, callers who may not
 * see it get its id alone, as the introduction says. The schema is that of the record all the same: hardly anybody saves what he does not see, and with
 * a choice of two in the schema every program would have to ask which one it got.
 */
export function recordAnswer(description: string, schema: JsonSchema): Described {
  return answer(description, schema, HEADERS_OF_RECORDS)
}

/** The response of an error. Its other form, problem details, is described in the introduction: see `ALSO_SHOWN`. */
function refusal(description: string, schema: 'api_error' | 'validation_error', more: Described = {}): Described {
  return answer(description, schemaNamed(schema), more)
}

/** Descriptions of `Refused`, by status (behaviour: Error responses). */
const REFUSALS: { readonly [status: number]: string } = {
  304: 'the caller has this answer already, as its If-None-Match says; the headers are those of a 200, and there is no body',
  400: 'the request cannot be understood',
  401: 'credentials are missing or wrong',
  403: 'the caller may not do this',
  404: 'the address or the record does not exist, or the caller does not see it',
  406: 'only JSON is offered',
  412: 'the record is not as If-Match, If-None-Match or If-Unmodified-Since expect it; nothing was changed',
  413: 'the body is too big',
  422: 'something that was sent is not valid',
  500: 'a fault of the service',
  504: 'the call took too long; its changes may have been made or not',
}

/** Responses, by name. `x-statuses` lists the statuses of the one for all other errors. */
export const SHARED_RESPONSES: { readonly [name: string]: Described } = {
  Invalid: refusal('What was sent is not valid.', 'validation_error'),
  Limited: refusal('Too many requests: nothing was done.', 'api_error', headers('Wait')),
  Busy: refusal(
    'The service cannot answer now; a POST is repeated safely with its Idempotency-Key.',
    'api_error',
    headers('Wait'),
  ),
  Refused: {
    ...refusal(
      `Not done. ${Object.entries(REFUSALS)
        .map(([status, why]) => `${status}: ${why}.`)
        .join(' ')}`,
      'api_error',
    ),
    'x-statuses': Object.keys(REFUSALS).map(Number),
  },
  Counted: answer('The numbers of records.', schemaNamed('record_counts')),
  Done: emptyAnswer('Done.'),
  Linked: answer('Linked.', schemaNamed('empty_object')),
}

/** Responses that any operation may have in addition to that of its success. */
export function refusals(verb: string): Described {
  return {
    ...(['post', 'patch'].includes(verb) ? { 422: component('responses', 'Invalid') } : {}),
    429: component('responses', 'Limited'),
    503: component('responses', 'Busy'),
    default: component('responses', 'Refused'),
  }
}
