/** Parameters that many operations share. Their names are short, because the document refers to them thousands of times. */
import type { Catalog } from '../catalog.js'
import { ID, TEXT } from '../kinds/json-schema.js'
import { filterParameters } from './filter-parameters.js'
import { type Described, sharedParameter, sharedParameterName } from './shared-components.js'

/** Parameters that every path has. */
export const COMMON_PARAMETERS: readonly Described[] = ['account', 'lang', 'prefer'].map(sharedParameter)
/** A parameter of all paths of records that can be changed. */
export const IF_MATCH = sharedParameter('if_match')
/** A parameter of every POST. */
export const IDEMPOTENCY_KEY = sharedParameter('key')
/** A parameter of all operations that save records. */
export const SOURCE = sharedParameter('source')

const PARAMETERS: { readonly [name: string]: Described } = {
  id: { name: 'id', in: 'path', required: true, description: 'Id of the record.', schema: ID },
  account: {
    name: 'X-SVC-Account',
    in: 'header',
    description: 'The account to act in; default: that of the person.',
    schema: TEXT,
  },
  lang: { name: 'X-SVC-Language', in: 'header', description: 'Language of labels and messages.', schema: TEXT },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict` (RFC 7240), 422 refuses what would be ignored: fields in the body that are unknown, read-only ' +
      'or not for this caller to set, parameters without effect, unknown names in `fields`. The response then has ' +
      '`Preference-Applied: handling=strict`.',
    schema: { type: 'string', maxLength: 1_000 },
  },
  source: {
    name: 'X-SVC-Source',
    in: 'header',
    description: 'Default of the field source, of which the first 30 characters count.',
    schema: TEXT,
  },
  if_match: {
    name: 'If-Match',
    in: 'header',
    description:
      'Tags, or *: 412 unless a GET of this URL has one of them now. If-None-Match (412 if it has) and, for changes and ' +
      'removals, If-Unmodified-Since (412 if updated_at is later) are evaluated as well.',
    schema: TEXT,
  },
  // Behaviour: Repeated requests.
  key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Visible ASCII characters. Makes the POST safe to repeat for 24 hours: a repeat with the same key does nothing, gets the ' +
      'same answer, and has the header `Idempotent-Replayed: true`. 422 if the key was used for something else.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]*$' },
  },
  page: {
    name: 'page',
    in: 'query',
    description: 'Number of the page.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  per_page: {
    name: 'per_page',
    in: 'query',
    description: 'Records per page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  from: { name: 'from', in: 'query', description: 'First day to count, where it counts days: 2026-11-01.', schema: TEXT },
  to: { name: 'to', in: 'query', description: 'Last day, default today; at most 200 days.', schema: TEXT },
  fields: { name: 'fields', in: 'query', description: 'Fields of the list, separated by commas.', schema: TEXT },
  upload: {
    name: 'attachment_upload_token',
    in: 'query',
    description: 'true adds storage_upload.',
    schema: TEXT,
  },
}

/** Parameters of all paths, and a filter for each name that a list can be filtered by. */
export function sharedParameters(catalog: Catalog): { [name: string]: Described } {
  const shared = Object.entries(PARAMETERS).map(([name, parameter]) => [sharedParameterName(name), parameter])
  return { ...Object.fromEntries(shared), ...filterParameters(catalog) }
}
